import { defineTool, fail } from "@wink/prompt";
import { z } from "zod";
import { count } from "../reply/count.js";
import { toolHandler } from "../reply/tool-handler.js";
import { applyEdits, type EditFileValue } from "./apply-edits.js";
import { editFields } from "./edit-file.js";
import { filePathFields, filePathOf, filePathsOf } from "./file-path.js";
import type { FileToolSettings } from "./file-tool-settings.js";

export const MultiEditInput = z.object({
  ...filePathFields,
  edits: z.array(z.object(editFields)).describe("Applied together, each to the current file."),
});

export function multiEditHandlerFor(settings: FileToolSettings) {
  return toolHandler({
    input: MultiEditInput,
    nameTool: settings.nameTool,
    async run(input, context) {
      const path = filePathOf(input);
      if (typeof path !== "string") return path;
      const { maxEdits } = settings.limits;
      if (input.edits.length === 0) return fail("edits is empty, so nothing would change.");
      if (input.edits.length > maxEdits)
        return fail(
          `These are ${count(input.edits.length, "edit")}, and one call takes at most ${maxEdits}.`,
        );
      const edits = input.edits.map(({ old_string, new_string, replace_all }) => ({
        oldString: old_string,
        newString: new_string,
        replaceAll: replace_all,
      }));
      return await applyEdits({ tool: "multi_edit", path, edits }, settings, context);
    },
  });
}

export function multiEditTool(settings: FileToolSettings) {
  return defineTool({
    name: "multi_edit",
    description:
      "Make several replacements in one file, all or none. Each is applied to the current file, and they must not overlap.",
    input: MultiEditInput,
    access: "write",
    handler: multiEditHandlerFor(settings),
    files: {
      changes: (input) => filePathsOf(input).map((path) => ({ path, extent: "part" })),
    },
    render: ({ diff }: EditFileValue) => diff.replace(/\n$/, ""),
  });
}
