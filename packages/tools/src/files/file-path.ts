import { fail, type ToolFailure } from "@wink/prompt";
import { z } from "zod";

/** Models that learned other tools call it `path`. */
export const filePathFields = {
  file_path: z.string().optional().describe("The file, relative to the workspace root."),
  path: z.string().optional().describe("Another name for file_path."),
};

interface FilePathInput {
  readonly file_path?: string | undefined;
  readonly path?: string | undefined;
}

/** The one path that was given, or the answer to none or two. */
export function filePathOf({ file_path, path }: FilePathInput): string | ToolFailure {
  if (file_path === undefined && path === undefined)
    return fail("Give file_path: which file is meant?");
  if (file_path !== undefined && path !== undefined && file_path !== path)
    return fail("file_path and path name different files. Give file_path alone.");
  return file_path ?? path ?? "";
}

/** The same for policies, which see the input before the handler does. */
export function filePathsOf(input: FilePathInput): readonly string[] {
  const path = filePathOf(input);
  return typeof path === "string" ? [path] : [];
}
