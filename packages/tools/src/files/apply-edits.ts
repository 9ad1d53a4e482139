import { fail, ok, type ToolContext, type ToolFailure } from "@wink/prompt";
import { EditFile } from "../events/file-events.js";
import { clipText } from "../reply/clip-text.js";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { isProblem, planEdits, spliceBytes, splicedLength, type TextEdit } from "./byte-edits.js";
import { describeProblem } from "./describe-problem.js";
import { editDiff } from "./edit-diff.js";
import { authorOf, type FileToolSettings } from "./file-tool-settings.js";
import { tooLong } from "./write-file.js";

export interface EditRequest {
  readonly tool: string;
  readonly path: string;
  readonly edits: readonly TextEdit[];
}

/** Applies all edits to the current file in one write, or none of them. */
export async function applyEdits(
  { tool, path, edits }: EditRequest,
  settings: FileToolSettings,
  context: ToolContext,
) {
  const { limits, workspace, nameTool } = settings;
  const { filesystem, session, signal } = context;
  const refusal = checkEdits(edits, settings);
  if (refusal !== undefined) return refusal;

  const file = await filesystem.readBytes(path, {
    limit: filesystem.limits.maxReadBytes,
    signal,
  });
  if (file.truncated)
    return fail(
      `${quote(file.path)} has ${count(file.sizeBytes, "byte")}, which is too large to edit.`,
    );
  const plan = await planEdits(file.content, edits);
  if (isProblem(plan)) return await describeProblem(plan, file, edits, nameTool);
  const sizeBytes = splicedLength(file.content, plan);
  // Check before building the content: `replace_all` can make a file a thousand times larger.
  if (sizeBytes > filesystem.limits.maxWriteBytes)
    return fail(
      `${quote(file.path)} would have ${count(sizeBytes, "byte")}, and a file may have at most ${filesystem.limits.maxWriteBytes.toLocaleString("en")}.`,
    );

  const content = spliceBytes(file.content, plan);
  const written = await filesystem.writeBytes(file.path, content, {
    createParents: false,
    ifRevision: file.revision,
    signal,
  });
  const author = authorOf(workspace, tool, context);
  const { revision } = written;
  session.dispatch(
    EditFile({ ...author, path: file.path, edits: [...edits], sizeBytes, revision }),
  );
  const diff = clipText(await editDiff(file.path, file.content, plan), {
    maxCharacters: limits.maxDiffCharacters,
    rest: `${nameTool("read_file")} shows the file`,
  });
  const value = {
    path: file.path,
    replacements: plan.length,
    sizeBytes,
    diff,
    revision,
  };
  return ok(value, `Edited ${quote(file.path)}: ${count(plan.length, "replacement")}.`);
}

function checkEdits(
  edits: readonly TextEdit[],
  { limits, nameTool }: FileToolSettings,
): ToolFailure | undefined {
  for (const side of ["oldString", "newString"] as const) {
    const characters = edits.reduce((sum, edit) => sum + edit[side].length, 0);
    if (characters > limits.maxWriteCharacters)
      return fail(tooLong(characters, limits.maxWriteCharacters), {
        hint: "Make the change in smaller pieces.",
      });
  }
  for (const [index, { oldString, newString }] of edits.entries()) {
    const which = edits.length === 1 ? "" : `Edit ${index + 1}: `;
    if (oldString === "")
      return fail(`${which}old_string is empty. It must name the text to replace.`, {
        hint: `Give the exact text to replace. To create a file, use ${nameTool("write_file")}.`,
      });
    if (oldString === newString)
      return fail(`${which}old_string and new_string are the same, so nothing would change.`);
    if (!oldString.isWellFormed() || !newString.isWellFormed())
      return fail(`${which}The text contains half of a surrogate pair, which is not a character.`);
  }
  return undefined;
}
