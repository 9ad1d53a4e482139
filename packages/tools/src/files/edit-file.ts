import { defineTool, fail } from "@wink/prompt";
import { z } from "zod";
import { answering } from "../reply/answering.js";
import { count } from "../reply/count.js";
import { applyEdits } from "./apply-edits.js";
import { fileInput } from "./file-input.js";
import type { FileToolSettings } from "./file-tool-settings.js";

const editFields = {
  old_string: z
    .string()
    .describe("The exact text to replace, including white space and line ends."),
  new_string: z.string().describe("The new text, taken literally."),
  replace_all: z
    .boolean()
    .default(false)
    .describe("Replace every occurrence instead of exactly one."),
};

const edits = z.array(z.object(editFields)).describe("Applied together, each to the current file.");

export function editFileTool(settings: FileToolSettings) {
  return defineTool({
    name: "edit_file",
    description:
      "Replace a text in a file. old_string must occur exactly once, unless replace_all is set. Answers with a diff.",
    input: fileInput(editFields),
    access: "write",
    effects: "workspace",
    handler: answering(settings.nameTool, ({ path, ...edit }, context) =>
      applyEdits({ tool: "edit_file", path, edits: [toTextEdit(edit)] }, settings, context),
    ),
    files: { dryRun: true, changes: ({ path }) => [{ path, extent: "part" }] },
    render: renderDiff,
  });
}

export function multiEditTool(settings: FileToolSettings) {
  const { maxEdits } = settings.limits;
  return defineTool({
    name: "multi_edit",
    description:
      "Make several replacements in one file, all or none. Each is applied to the current file, and they must not overlap.",
    input: fileInput({ edits }),
    access: "write",
    effects: "workspace",
    handler: answering(settings.nameTool, async (input, context) => {
      const { path, edits: given } = input;
      if (given.length === 0) return fail("edits is empty, so nothing would change.");
      if (given.length > maxEdits)
        return fail(
          `These are ${count(given.length, "edit")}, and one call takes at most ${maxEdits}.`,
        );
      const request = { tool: "multi_edit", path, edits: given.map(toTextEdit) };
      return await applyEdits(request, settings, context);
    }),
    files: { dryRun: true, changes: ({ path }) => [{ path, extent: "part" }] },
    render: renderDiff,
  });
}

function toTextEdit(edit: z.output<z.ZodObject<typeof editFields>>) {
  const { old_string: oldString, new_string: newString, replace_all: replaceAll } = edit;
  return { oldString, newString, replaceAll };
}

function renderDiff({ diff }: { readonly diff: string }): string {
  return diff.replace(/\n$/, "");
}
