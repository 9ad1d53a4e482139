import { isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { CopyPath, MovePath } from "../events/file-events.js";
import { quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import { authorOf, type FileToolSettings } from "./file-tool-settings.js";

export const TransferInput = z.object({
  source: z.string().describe("The file or directory, relative to the workspace root."),
  destination: z.string().describe("The new path, not the target directory."),
  overwrite: z.boolean().default(false).describe("Replace an existing file at the destination."),
});

export interface TransferValue {
  readonly from: string;
  readonly to: string;
}

type Verb = "move" | "copy";

export const moveHandlerFor = (settings: FileToolSettings) => transferHandler("move", settings);
export const copyHandlerFor = (settings: FileToolSettings) => transferHandler("copy", settings);

function transferHandler(verb: Verb, { workspace, nameTool }: FileToolSettings) {
  return toolHandler({
    input: TransferInput,
    nameTool,
    async run({ source, destination, overwrite }, context) {
      const { filesystem, session, signal } = context;
      try {
        const { path: from } = await filesystem.stat(source, { signal });
        await filesystem[verb](source, destination, { overwrite, signal });
        const { path: to } = await filesystem.stat(destination, { signal });
        const event = verb === "move" ? MovePath : CopyPath;
        session.dispatch(event({ ...authorOf(workspace, verb, context), from, to, overwrite }));
        const value: TransferValue = { from, to };
        return ok(value, `${verb === "move" ? "Moved" : "Copied"} ${quote(from)} to ${quote(to)}.`);
      } catch (error) {
        if (overwrite || !isFilesystemError(error, "EEXIST")) throw error;
        return fail(`${quote(destination)} already exists.`, {
          hint: "Choose another destination, or set overwrite to replace it.",
        });
      }
    },
  });
}

export function moveTool(settings: FileToolSettings) {
  return defineTool({
    name: "move",
    description: "Move or rename a file or directory.",
    input: TransferInput,
    access: "write",
    handler: moveHandlerFor(settings),
    files: {
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
    handler: copyHandlerFor(settings),
    files: { changes: ({ destination, overwrite }) => target(destination, overwrite) },
    render: () => "",
  });
}

/** Without `overwrite` no existing file is replaced, so the model need not have read it. */
function target(path: string, overwrite: boolean) {
  return overwrite ? ([{ path, extent: "transfer" }] as const) : [];
}
