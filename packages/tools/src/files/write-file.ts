import { isFilesystemError } from "@wink/filesystem";
import { defineTool, fail, ok } from "@wink/prompt";
import { z } from "zod";
import { WriteFile } from "../events/file-events.js";
import { answering } from "../reply/answering.js";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { splitLines } from "../reply/split-lines.js";
import { fileInput } from "./file-input.js";
import { authorOf, type FileToolSettings } from "./file-tool-settings.js";

export function writeFileTool({ limits, workspace, nameTool }: FileToolSettings) {
  return defineTool({
    name: "write_file",
    description:
      "Create a text file and its parent directories. To change a part of an existing file, use edit_file.",
    input: fileInput({
      content: z.string().describe("The whole text to write."),
      mode: z
        .enum(["create", "overwrite", "append"])
        .default("create")
        .describe(
          "create fails when the file exists, overwrite replaces all of it, append adds to its end.",
        ),
    }),
    access: "write",
    effects: "workspace",
    handler: answering(nameTool, async ({ path: given, content, mode }, context) => {
      const { filesystem, session, signal } = context;
      if (content.length > limits.maxWriteCharacters)
        return fail(tooLong(content.length, limits.maxWriteCharacters), {
          hint: `Write the beginning, then add the rest with mode "append".`,
        });
      try {
        const { path, revision } = await filesystem.write(given, content, { mode, signal });
        const { sizeBytes } = await filesystem.stat(path, { signal });
        const author = authorOf(workspace, "write_file", context);
        session.dispatch(WriteFile({ ...author, path, content, mode, sizeBytes, revision }));
        const value = { path, mode, sizeBytes, lineCount: splitLines(content).length, revision };
        return ok(value, describe(value));
      } catch (error) {
        if (mode !== "create" || !isFilesystemError(error, "EEXIST")) throw error;
        return fail(`${quote(error.path)} already exists.`, {
          hint: `Change it with ${nameTool("edit_file")}, or replace all of it with mode "overwrite".`,
        });
      }
    }),
    files: {
      dryRun: true,
      // A new file did not exist before, so it cannot have been read.
      changes: ({ mode, path }) =>
        mode === "create" ? [] : [{ path, extent: mode === "append" ? "part" : "whole" }],
      views: (_, { mode, path, revision, lineCount }: Written) =>
        mode === "create" ? [{ path, revision, offset: 0, lineCount, totalLines: lineCount }] : [],
    },
    render: () => "",
  });
}

export function tooLong(characters: number, most: number): string {
  return `That is ${count(characters, "character")}, and one call takes at most ${most.toLocaleString("en")}.`;
}

const DONE = { create: "Created", overwrite: "Replaced", append: "Added to" } as const;

interface Written {
  readonly path: string;
  readonly mode: keyof typeof DONE;
  /** The size of the whole file. */
  readonly sizeBytes: number;
  /** The number of written lines. */
  readonly lineCount: number;
  readonly revision: string;
}

function describe({ path, mode, sizeBytes, lineCount }: Written): string {
  const lines = count(lineCount, mode === "append" ? "more line" : "line");
  return `${DONE[mode]} ${quote(path)}: ${lines}, ${count(sizeBytes, "byte")}${mode === "append" ? " in all" : ""}.`;
}
