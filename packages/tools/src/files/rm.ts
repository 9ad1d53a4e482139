import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { defineTool, ok } from "@wink/prompt";
import { z } from "zod";
import { DeletePath } from "../events/file-events.js";
import { answering } from "../reply/answering.js";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { authorOf, type FileToolSettings } from "./file-tool-settings.js";

export function rmTool({ workspace, nameTool }: FileToolSettings) {
  return defineTool({
    name: "rm",
    description: "Delete a file, or a directory with its contents.",
    input: z.object({
      path: z.string().describe("The file or directory, relative to the workspace root."),
    }),
    access: "write",
    effects: "workspace",
    handler: answering(nameTool, async ({ path: given }, context) => {
      const { filesystem, session, signal } = context;
      const found = await describe(given, context);
      const path = found?.path ?? given;
      const inside = found?.isDirectory
        ? await filesystem.glob("**", { path: given, signal })
        : undefined;
      await filesystem.delete(given, { recursive: inside !== undefined, signal });
      session.dispatch(DeletePath({ ...authorOf(workspace, "rm", context), path }));
      const fileCount = inside?.length ?? 1;
      const files = `${inside?.truncated ? "at least " : ""}${count(fileCount, "file")}`;
      const contents = inside === undefined ? "" : ` with ${files} in it`;
      return ok({ path, fileCount }, `Deleted ${quote(path)}${contents}.`);
    }),
    files: { dryRun: true, removes: ({ path }) => [path] },
    render: () => "",
  });
}

/** Returns the stat of the path; `undefined` if it fails. Then `delete` decides. A link is deleted as a link. */
async function describe(
  path: string,
  { filesystem, signal }: { readonly filesystem: Filesystem; readonly signal: AbortSignal },
) {
  try {
    return await filesystem.stat(path, { followLinks: false, signal });
  } catch (error) {
    if (isFilesystemError(error)) return undefined;
    throw error;
  }
}
