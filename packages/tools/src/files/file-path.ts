import { fail, type ToolFailure } from "@wink/prompt";
import { z } from "zod";

/** Some models use `path`, because they were trained with other tools. */
export const filePathFields = {
  file_path: z.string().optional().describe("The file, relative to the workspace root."),
  path: z.string().optional().describe("Another name for file_path."),
};

interface FilePathInput {
  readonly file_path?: string | undefined;
  readonly path?: string | undefined;
}

/** Returns the given path, or a failure if there is none or there are two different ones. */
export function filePathOf({ file_path, path }: FilePathInput): string | ToolFailure {
  if (file_path === undefined && path === undefined)
    return fail("file_path is missing. Give the path of the file.");
  if (file_path !== undefined && path !== undefined && file_path !== path)
    return fail("file_path and path name different files. Give only file_path.");
  return file_path ?? path ?? "";
}

/** The same for policies, which receive the input before the handler. Empty if the input is invalid. */
export function filePathsOf(input: FilePathInput): readonly string[] {
  const path = filePathOf(input);
  return typeof path === "string" ? [path] : [];
}
