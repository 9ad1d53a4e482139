import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { afterEach, expect, it, vi } from "vitest";
import { readTree, scratchDirectory, writeTree } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import { troubleAt } from "./failing-fs.test.support.js";
import { recoverApply } from "./recover-apply.js";

const uid = process.geteuid?.() ?? 0;
afterEach(() => vi.unstubAllEnvs());

const USUAL = `wink-apply-${uid}`;

/** A machine with its own home, runtime directory and temporary directory. */
function machine() {
  const place = scratchDirectory();
  const at = (name: string) => join(place, name);
  for (const name of ["home", "run", "tmp", "host"]) mkdirSync(at(name));
  writeTree(at("host"), { "a.txt": "old", "b.txt": "old" });
  vi.stubEnv("HOME", at("home"));
  vi.stubEnv("TMPDIR", at("tmp"));
  vi.stubEnv("XDG_STATE_HOME", undefined);
  vi.stubEnv("XDG_RUNTIME_DIR", undefined);
  const options = { allowedHostRoots: [at("host")] };
  const start = async () => {
    const filesystem = new InMemoryFilesystem();
    const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
    await filesystem.write("a.txt", "new");
    await filesystem.write("b.txt", "new");
    return workspace.changes();
  };
  return { at, options, start };
}

/** Which of the directories are not empty. */
const used = (at: (name: string) => string) =>
  ["home", "state", "run", "tmp"].filter(
    (name) => existsSync(at(name)) && Object.keys(readTree(at(name))).length > 0,
  );

it("apply writes its journal to the user's state directory and nothing to the temporary one (SN-32)", async () => {
  const { at, start } = machine();
  await (await start()).apply();
  expect(used(at)).toEqual(["home"]);
  expect(statSync(join(at("home"), ".local/state/wink/apply")).mode & 0o777).toBe(0o700);
});

it("apply prefers XDG_STATE_HOME and ignores a relative one (SN-32)", async () => {
  const { at, start } = machine();
  vi.stubEnv("XDG_STATE_HOME", "relative");
  await (await start()).apply();
  expect(used(at)).toEqual(["home"]);
  vi.stubEnv("XDG_STATE_HOME", at("state"));
  writeTree(at("host"), { "a.txt": "old", "b.txt": "old" });
  await (await start()).apply();
  expect(used(at)).toEqual(["home", "state"]);
});

it("apply falls back to the runtime directory, then to the temporary one (SN-32)", async () => {
  const { at, start } = machine();
  // A file where the directory would have to be.
  writeTree(at("home"), { ".local": "a file" });
  vi.stubEnv("XDG_RUNTIME_DIR", at("run"));
  await (await start()).apply();
  expect(used(at)).toEqual(["home", "run"]);
  vi.stubEnv("XDG_RUNTIME_DIR", undefined);
  writeTree(at("host"), { "a.txt": "old", "b.txt": "old" });
  const changes = await start();
  const { undoToken = "" } = await changes.apply();
  expect(statSync(join(at("tmp"), USUAL)).mode & 0o777).toBe(0o700);
  await changes.undo(undoToken);
});

it.each(["a directory that others can enter", "a link", "a file", "another user's directory"])(
  "apply works when the usual name in the temporary directory is %s (SN-32)",
  async (taken) => {
    const { at, start } = machine();
    writeTree(at("home"), { ".local": "a file" });
    const usual = join(at("tmp"), USUAL);
    if (taken === "a link") symlinkSync(at("run"), usual);
    else if (taken === "a file") writeTree(at("tmp"), { [USUAL]: "" });
    else {
      mkdirSync(usual);
      chmodSync(usual, taken.startsWith("another") ? 0o700 : 0o777);
      // Only root can change the owner. Otherwise the directory stays open to others, which is refused too.
      if (taken.startsWith("another") && uid === 0) chownSync(usual, 65_534, 65_534);
      else chmodSync(usual, 0o777);
    }
    const changes = await start();
    const { undoToken = "" } = await changes.apply();
    expect(Object.keys(readTree(at("run")))).toEqual([]);
    if (taken.includes("directory")) expect(Object.keys(readTree(usual))).toEqual([]);
    await changes.undo(undoToken);
    expect(Object.values(readTree(at("host")))).toEqual(
      ["old", "old"].map((text) => `file ${btoa(text)}`),
    );
  },
);

it("recovery finds the journal of an interrupted apply in every possible state directory (SN-32, SN-22)", async () => {
  const { at, options, start } = machine();
  writeTree(at("home"), { ".local": "a file" });
  for (let limit = 1; ; limit++) {
    const changes = await start();
    const trouble = troubleAt(limit, "from-then-on");
    await changes.apply().catch(() => {});
    trouble.end();
    const states = new Set(Object.values(readTree(at("host"))));
    if (states.size > 1) break;
    if (limit > trouble.count) throw new Error("apply was never interrupted between two files");
    await recoverApply(options);
    writeTree(at("host"), { "a.txt": "old", "b.txt": "old" });
  }
  // Now the preferred directory is usable and has no journal.
  vi.stubEnv("XDG_STATE_HOME", at("state"));
  const recovered = await recoverApply(options);
  expect(recovered).toMatchObject([{ outcome: "finished" }]);
  expect(new Set(Object.values(readTree(at("host")))).size).toBe(1);
});

it.runIf(uid === 0)("apply does not use the home of another user (SN-32)", async () => {
  const { at, start } = machine();
  chownSync(at("home"), 65_534, 65_534);
  await (await start()).apply();
  expect(used(at)).toEqual(["tmp"]);
});
