import { isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { WriteFile } from "../events/file-events.js";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { toolHandler } from "../reply/tool-handler.js";
import { filePathFields, filePathOf, filePathsOf } from "./file-path.js";
import { authorOf, type FileToolSettings } from "./file-tool-settings.js";
import { splitLines } from "./unified-diff.js";

export const WriteFileInput = z.object({
  ...filePathFields,
  content: z.string().describe("The whole text to write."),
  mode: z
    .enum(["create", "overwrite", "append"])
    .default("create")
    .describe(
      "create fails when the file exists, overwrite replaces all of it, append adds to its end.",
    ),
});

export interface WriteFileValue {
  readonly path: string;
  readonly mode: "create" | "overwrite" | "append";
  /** The size of the whole file. */
  readonly sizeBytes: number;
  /** The number of written lines. */
  readonly lineCount: number;
  readonly revision: string;
}

export function writeFileHandlerFor({ limits, workspace, nameTool }: FileToolSettings) {
  return toolHandler({
    input: WriteFileInput,
    nameTool,
    async run({ content, mode, ...input }, context) {
      const { filesystem, session, signal } = context;
      const path = filePathOf(input);
      if (typeof path !== "string") return path;
      if (content.length > limits.maxWriteCharacters)
        return fail(tooLong(content.length, limits.maxWriteCharacters), {
          hint: `Write the beginning, then add the rest with mode "append".`,
        });
      try {
        const written = await filesystem.write(path, content, { mode, signal });
        const { sizeBytes } = await filesystem.stat(written.path, { signal });
        const value: WriteFileValue = {
          path: written.path,
          mode,
          sizeBytes,
          lineCount: splitLines(content).length,
          revision: written.revision,
        };
        const author = authorOf(workspace, "write_file", context);
        session.dispatch(WriteFile({ ...author, path: value.path, content, mode, sizeBytes }));
        return ok(value, describe(value));
      } catch (error) {
        if (mode !== "create" || !isFilesystemError(error, "EEXIST")) throw error;
        return fail(`${quote(error.path)} already exists.`, {
          hint: `Change it with ${nameTool("edit_file")}, or replace all of it with mode "overwrite".`,
        });
      }
    },
  });
}

export function writeFileTool(settings: FileToolSettings) {
  return defineTool({
    name: "write_file",
    description:
      "Create a text file and its parent directories. To change a part of an existing file, use edit_file.",
    input: WriteFileInput,
    access: "write",
    handler: writeFileHandlerFor(settings),
    files: {
      changes: ({ mode, ...input }) =>
        // A new file did not exist before, so it cannot have been read.
        mode === "create"
          ? []
          : filePathsOf(input).map((path) => ({
              path,
              extent: mode === "append" ? "part" : "whole",
            })),
      views: (_, { mode, path, revision, lineCount }: WriteFileValue) =>
        mode === "create" ? [{ path, revision, offset: 0, lineCount, totalLines: lineCount }] : [],
    },
    render: () => "",
  });
}

export function tooLong(characters: number, most: number): string {
  return `That is ${count(characters, "character")}, and one call takes at most ${most.toLocaleString("en")}.`;
}

const DONE = { create: "Created", overwrite: "Replaced", append: "Added to" } as const;

function describe({ path, mode, sizeBytes, lineCount }: WriteFileValue): string {
  const lines = count(lineCount, mode === "append" ? "more line" : "line");
  return `${DONE[mode]} ${quote(path)}: ${lines}, ${count(sizeBytes, "byte")}${mode === "append" ? " in all" : ""}.`;
}
