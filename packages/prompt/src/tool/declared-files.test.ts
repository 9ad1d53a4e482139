import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import { z } from "zod";
import { filesAfter, policyCall } from "../adapter.js";
import { readBeforeWrite } from "../policy/read-before-write.js";
import type { ToolFiles } from "../protocol/tool-files.js";
import { ok } from "../protocol/tool-result.js";
import { createToolContext } from "../testing.js";
import { defineTool } from "./define-tool.js";

const CHANGES = "Return an array of { path, extent } with extent 'whole', 'part' or 'transfer'.";
const VIEWS = "Return an array of views. Use viewOf(page).";

it.each<[mistake: string, files: object, message: string]>([
  [
    "a path instead of a change",
    { changes: () => ["a"] },
    `changes() returned an array with "a". ${CHANGES}`,
  ],
  [
    "one change without an array",
    { changes: () => ({ path: "a", extent: "part" }) },
    `changes() returned an object. ${CHANGES}`,
  ],
  [
    "a change of a wrong extent",
    { changes: () => [{ path: "a", extent: "all" }] },
    `changes() returned an array with an object. ${CHANGES}`,
  ],
  [
    "a promise of changes",
    { changes: async () => [] },
    `changes() returned a promise, but it cannot be async. ${CHANGES}`,
  ],
  [
    "a path of another type",
    { removes: () => [7] },
    "removes() returned an array with 7. Return an array of paths.",
  ],
  [
    "a path without an array",
    { removes: () => "a" },
    'removes() returned "a". Return an array of paths.',
  ],
  [
    "a path instead of a view",
    { views: () => ["a"] },
    `views() returned an array with "a". ${VIEWS}`,
  ],
])("%s names the tool and says what to return (PR-37)", async (_, files, message) => {
  const tool = toolWith(files as ToolFiles);
  const attempt = async () => {
    const call = policyCall(tool, {}, createToolContext({ filesystem: new InMemoryFilesystem() }));
    await readBeforeWrite({ removals: true }).check(call);
    filesAfter(call, ok(1, "Done."), () => undefined);
  };
  await expect(attempt()).rejects.toMatchObject({
    code: "TOOL_INVALID",
    message: `tool 't': files.${message}`,
  });
});

it("a member of files that is not a function is refused when the tool is defined (PR-37)", () => {
  expect(() => toolWith({ changes: [] } as never)).toThrow(
    "files.changes of tool 't': expected a function of the input, got an array.",
  );
});

function toolWith(files: ToolFiles) {
  return {
    ...defineTool({
      ...{ name: "t", description: "Does it.", input: z.object({}), access: "write", files },
      handler: () => ok(1, "Done."),
    }),
    ...{ policies: [], workspace: "w", filesystem: undefined },
  } as never;
}
