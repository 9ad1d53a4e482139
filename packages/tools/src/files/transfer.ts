import { isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { CopyPath, MovePath } from "../events/file-events.js";
import { answering } from "../reply/answering.js";
import { quote } from "../reply/quote.js";
import { authorOf, type FileToolSettings } from "./file-tool-settings.js";

const TransferInput = z.object({
  source: z.string().describe("The file or directory, relative to the workspace root."),
  destination: z.string().describe("The new path, not the target directory."),
  overwrite: z.boolean().default(false).describe("Replace an existing file at the destination."),
});

export function moveTool(settings: FileToolSettings) {
  return defineTool({
    name: "move",
    description: "Move or rename a file or directory.",
    input: TransferInput,
    access: "write",
    effects: "workspace",
    handler: transfer("move", settings),
    files: {
      dryRun: true,
      changes: ({ destination, overwrite }) => target(destination, overwrite),
      removes: ({ source }) => [source],
    },
    render: () => "",
  });
}

export function copyTool(settings: FileToolSettings) {
  return defineTool({
    name: "copy",
    description: "Copy a file or directory.",
    input: TransferInput,
    access: "write",
    effects: "workspace",
    handler: transfer("copy", settings),
    files: {
      dryRun: true,
      changes: ({ destination, overwrite }) => target(destination, overwrite),
    },
    render: () => "",
  });
}

function transfer(verb: "move" | "copy", { workspace, nameTool }: FileToolSettings) {
  return answering(nameTool, async (input: z.output<typeof TransferInput>, context) => {
    const { source, destination, overwrite } = input;
    const { filesystem, session, signal } = context;
    try {
      const { path: from } = await filesystem.stat(source, { followLinks: false, signal });
      await filesystem[verb](source, destination, { overwrite, signal });
      const { path: to } = await filesystem.stat(destination, { followLinks: false, signal });
      const event = verb === "move" ? MovePath : CopyPath;
      session.dispatch(event({ ...authorOf(workspace, verb, context), from, to, overwrite }));
      const done = verb === "move" ? "Moved" : "Copied";
      return ok({ from, to }, `${done} ${quote(from)} to ${quote(to)}.`);
    } catch (error) {
      if (overwrite || !isFilesystemError(error, "EEXIST")) throw error;
      return fail(`${quote(destination)} already exists.`, {
        hint: "Choose another destination, or set overwrite to replace it.",
      });
    }
  });
}

/** Without `overwrite` no existing file is replaced, so the model need not have read it. */
function target(path: string, overwrite: boolean) {
  return overwrite ? ([{ path, extent: "transfer" }] as const) : [];
}
