import { chmodSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeProject } from "./workspace.test.support.js";

it("a changed mode is a separate hunk, and a partial apply keeps the other mode (WS-6)", async () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join("");
  const project = await makeProject({ "a.sh": lines });
  const file = join(project.directory, "a.sh");
  chmodSync(file, 0o600);
  const workspace = await project.open();
  const changed = lines.replace("line 2\n", "two\n").replace("line 28\n", "28\n");
  await workspace.filesystem.write("a.sh", changed);
  await workspace.filesystem.chmod("a.sh", 0o700);
  const [diff] = await workspace.diff();
  const [mode, , last] = diff?.hunks ?? [];
  expect(mode?.text).toBe("old mode 100600\nnew mode 100700\n");
  await workspace.apply({ hunks: [last?.id ?? ""] });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toBe(lines.replace("line 28\n", "28\n"));
  expect((await workspace.diff())[0]?.hunks.map(({ text }) => text.slice(0, 8))).toEqual([
    "old mode",
    "@@ -1,6 ",
  ]);
  await workspace.apply({ hunks: [(await workspace.diff())[0]?.hunks[0]?.id ?? ""] });
  expect(statSync(file).mode & 0o777).toBe(0o700);
  expect((await workspace.diff())[0]?.hunks.length).toBe(1);
});
