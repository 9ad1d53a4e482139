import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  ftruncateSync,
  openSync,
  readdirSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { bundleProgram, runProgram } from "../apply/killed-program.test.support.js";
import { makeProject } from "./workspace.test.support.js";

/** In mebibytes. The plain test command tries a smaller file than CI. */
const LARGE = process.env["WINK_MORE_ROUNDS"] === undefined ? 300 : 400;
/** In mebibytes, of a separate process. With the file in memory it would need more than 100 in addition to the file. */
const MAX_RESIDENT = 300;
const LARGE_BYTES = LARGE * 1024 * 1024;

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha1");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

it("a large file is copied, compared, applied, undone and refreshed in parts, and not held in memory (WS-19)", async () => {
  const project = await makeProject({ "a.txt": "a\n" });
  const large = join(project.directory, "large.bin");
  // A file with holes, which takes no time to write.
  const fd = openSync(large, "w");
  ftruncateSync(fd, LARGE_BYTES);
  writeSync(fd, "the end", LARGE_BYTES - 7);
  closeSync(fd);
  const entry = fileURLToPath(new URL("large-files.test.program.ts", import.meta.url));
  const program = await bundleProgram(entry, "large-files");
  const { output } = await runProgram([program, project.directory, project.stateDirectory]);
  const { fileCount, resident, patch, ...did } = JSON.parse(output);
  expect(fileCount).toBe(2);
  expect(resident).toBeLessThan(MAX_RESIDENT);
  expect(patch).toContain("Binary files a/large.bin and b/large.bin differ\n");
  expect(did).toEqual({
    changed: ["large.bin"],
    applied: "the end, by the agent",
    undone: "the end",
    updated: ["large.bin"],
    refreshed: "the end, by the user",
  });
  const [home = ""] = readdirSync(join(project.stateDirectory, "workspaces"));
  const copy = join(project.stateDirectory, "workspaces", home, "files/large.bin");
  expect(await hashOf(copy)).toBe(await hashOf(large));
});
