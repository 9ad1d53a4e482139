import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { temporaryName } from "@wink/filesystem/host";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it, onTestFinished, vi } from "vitest";
import { HostWorkspaceSection } from "./host-workspace-section.js";

async function project() {
  const root = await mkdtemp(join(tmpdir(), "wink-host-section-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, "src"));
  await writeFile(join(root, "src/a.ts"), "one\n");
  return root;
}

it("a failed mount leaves no directory, and that of a dead process is removed (WS-17)", async () => {
  const home = await project();
  vi.stubEnv("TMPDIR", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  // No one holds this name, as after a kill.
  await mkdir(join(home, `wink-workspace-${temporaryName()}`), { mode: 0o700 });
  const options = {
    session: new Session(),
    mounts: [{ hostPath: "none" }],
    allowedHostRoots: [home],
  };
  await expect(HostWorkspaceSection.create(options)).rejects.toMatchObject({ code: "ENOENT" });
  const left = () =>
    execFileSync("ls", [home])
      .toString()
      .split("\n")
      .filter((each) => each.startsWith("wink-workspace-"));
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 60_000 });
});

it("a section that owns a directory names each option with files of another place (WS-17)", async () => {
  for (const name of ["filesystem", "workspace", "overlay", "files", "quotas"]) {
    const options = { session: new Session(), [name]: {} };
    await expect(HostWorkspaceSection.create(options)).rejects.toThrow(
      `HostWorkspaceSection: it has its own directory and takes no ${name}.`,
    );
  }
});

it("a section owns a temporary directory with copies, and changes can be applied (WS-17)", async () => {
  const root = await project();
  const session = new Session();
  const section = await HostWorkspaceSection.create({
    session,
    mounts: [{ hostPath: "src" }],
    allowedHostRoots: [root],
  });
  expect(await readFile(join(section.directory, "src/a.ts"), "utf8")).toBe("one\n");
  await section.filesystem.write("src/a.ts", "two\n", { mode: "overwrite" });
  expect(await readFile(join(root, "src/a.ts"), "utf8")).toBe("one\n");
  await section.changes().apply();
  expect(await readFile(join(root, "src/a.ts"), "utf8")).toBe("two\n");
  await session.close();
  expect(existsSync(section.directory)).toBe(false);
});

it("the directory is removed with the last prompt that uses the section (WS-17)", async () => {
  const section = await HostWorkspaceSection.create({ session: new Session() });
  const template = new PromptTemplate({ ns: "t", key: "t", sections: [section] });
  const [first, second] = [new Prompt(template).bind({}), new Prompt(template).bind({})];
  await first.open();
  await second.open();
  await first.close();
  expect(existsSync(section.directory)).toBe(true);
  await second.close();
  expect(existsSync(section.directory)).toBe(false);
});
