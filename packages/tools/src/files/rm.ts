import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { DeletePath } from "../events/file-events.js";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import { authorOf, type FileToolSettings } from "./file-tool-settings.js";

export const RmInput = z.object({
  path: z.string().describe("The file or directory, relative to the workspace root."),
  recursive: z.boolean().default(false).describe("Delete a directory with its contents."),
});

export interface RmValue {
  readonly path: string;
  /** The number of deleted files. */
  readonly fileCount: number;
}

export function rmHandlerFor({ workspace, nameTool }: FileToolSettings) {
  return toolHandler({
    input: RmInput,
    nameTool,
    async run({ path: given, recursive }, context) {
      const { filesystem, session, signal } = context;
      const found = await describe(given, context);
      const isDirectory = found?.isDirectory ?? false;
      const path = found?.path ?? given;
      const inside = isDirectory ? await filesystem.glob("**", { path: given, signal }) : undefined;
      if (isDirectory && !recursive && path !== "." && path !== "")
        return fail(
          `${quote(path)} is a directory that contains ${count(inside?.length ?? 0, "file")}.`,
          {
            hint: "Set recursive to delete it with its contents.",
          },
        );
      await filesystem.delete(given, { recursive, signal });
      session.dispatch(DeletePath({ ...authorOf(workspace, "rm", context), path }));
      const value: RmValue = { path, fileCount: inside?.length ?? 1 };
      return ok(value, describeRemoval(value, isDirectory));
    },
  });
}

export function rmTool(settings: FileToolSettings) {
  return defineTool({
    name: "rm",
    description: "Delete a file, or with recursive a directory.",
    input: RmInput,
    access: "write",
    handler: rmHandlerFor(settings),
    files: { removes: ({ path }) => [path] },
    render: () => "",
  });
}

/** Returns the stat of the path; `undefined` if it fails, for example for a link. Then `delete` decides. */
async function describe(
  path: string,
  { filesystem, signal }: { readonly filesystem: Filesystem; readonly signal: AbortSignal },
) {
  try {
    return await filesystem.stat(path, { signal });
  } catch (error) {
    if (isFilesystemError(error)) return undefined;
    throw error;
  }
}

function describeRemoval({ path, fileCount }: RmValue, isDirectory: boolean): string {
  if (!isDirectory) return `Deleted ${quote(path)}.`;
  return `Deleted ${quote(path)} with ${count(fileCount, "file")} in it.`;
}
