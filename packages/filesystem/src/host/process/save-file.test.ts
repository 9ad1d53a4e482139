import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { interceptFs, systemError } from "../driver/intercepted-fs.test.support.js";
import { scratch } from "../snapshots/store-fixture.test.support.js";
import { saveFile } from "./save-file.js";
import { temporaryName } from "./temporary-name.js";

it("a saved file replaces the old one, with its mode, in directories that it creates (SE-29, PR-32)", () => {
  const path = join(scratch(), "a/b/state.json");
  saveFile(path, "old");
  saveFile(path, Buffer.from("new"));
  expect(readFileSync(path, "utf8")).toBe("new");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  saveFile(path, "shared", 0o644);
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

it.each(["openSync", "writeSync", "fsyncSync", "renameSync"] as const)(
  "a save whose %s fails leaves the old file and nothing else (SE-29)",
  (call) => {
    const directory = scratch();
    const path = join(directory, "state.json");
    saveFile(path, "old");
    const restore = interceptFs([call], () => {
      throw systemError("EIO", "/the/host");
    });
    expect(() => saveFile(path, "new")).toThrow("EIO");
    restore();
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(directory)).toEqual(["state.json"]);
  },
);

it("a save removes temporary files of dead processes and no other file (SE-29)", () => {
  const directory = scratch();
  const dead = temporaryName().replace(`-${process.pid}-`, "-4194305-");
  const others = [`.state.json${temporaryName()}`, ".state.json.wink-tmp-notes", `.other${dead}`];
  for (const name of [`.state.json${dead}`, ...others]) writeFileSync(join(directory, name), "");
  saveFile(join(directory, "state.json"), "x");
  expect(readdirSync(directory).sort()).toEqual([...others, "state.json"].sort());
});
