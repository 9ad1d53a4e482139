import { defineTool } from "@wink/prompt";
import { z } from "zod";
import { toolHandler } from "../reply/tool-handler.js";
import { applyEdits, type EditFileValue } from "./apply-edits.js";
import { filePathFields, filePathOf, filePathsOf } from "./file-path.js";
import type { FileToolSettings } from "./file-tool-settings.js";

export const editFields = {
  old_string: z
    .string()
    .describe("The exact text to replace, including white space and line ends."),
  new_string: z.string().describe("The new text, taken literally."),
  replace_all: z
    .boolean()
    .default(false)
    .describe("Replace every occurrence instead of exactly one."),
};

export const EditFileInput = z.object({ ...filePathFields, ...editFields });

export function editFileHandlerFor(settings: FileToolSettings) {
  return toolHandler({
    input: EditFileInput,
    nameTool: settings.nameTool,
    async run(input, context) {
      const path = filePathOf(input);
      if (typeof path !== "string") return path;
      const { old_string, new_string, replace_all } = input;
      const edit = { oldString: old_string, newString: new_string, replaceAll: replace_all };
      return await applyEdits({ tool: "edit_file", path, edits: [edit] }, settings, context);
    },
  });
}

export function editFileTool(settings: FileToolSettings) {
  return defineTool({
    name: "edit_file",
    description:
      "Replace a text in a file. old_string must occur exactly once, unless replace_all is set. Answers with a diff.",
    input: EditFileInput,
    access: "write",
    handler: editFileHandlerFor(settings),
    files: {
      changes: (input) => filePathsOf(input).map((path) => ({ path, extent: "part" })),
    },
    render: ({ diff }: EditFileValue) => diff.replace(/\n$/, ""),
  });
}
