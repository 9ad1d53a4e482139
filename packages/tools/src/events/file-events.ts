import { defineEvent } from "@wink/session";
import { z } from "zod";

const path = z.string();

/** The prompt, tool and call that made a change. */
const author = {
  /** The key of the workspace section that owns the files. */
  workspace: z.string(),
  /** The prompt of the tool call, as `ns/key`. */
  writer: z.string(),
  tool: z.string(),
  toolCallId: z.string(),
};

/** The files of the workspace when it was created. They have version 0. */
export const MountFiles = defineEvent(
  "files.mount",
  z.object({
    workspace: z.string(),
    files: z.array(z.object({ path, sizeBytes: z.number() })),
    /** The files as the prompt shows them. A run that is continued shows the same. @default unknown, in older logs */
    preview: z.string().optional(),
  }),
);

/** A file was created or replaced, or text was appended to it. */
export const WriteFile = defineEvent(
  "files.write",
  z.object({
    ...author,
    path,
    content: z.string(),
    mode: z.enum(["create", "overwrite", "append"]),
    /** The size of the whole file after the write. */
    sizeBytes: z.number(),
    /** The revision of the file after the write. Missing in logs of earlier versions. */
    revision: z.string().optional(),
  }),
);

/** Texts in a file were replaced in one write. */
export const EditFile = defineEvent(
  "files.edit",
  z.object({
    ...author,
    path,
    edits: z.array(
      z.object({ oldString: z.string(), newString: z.string(), replaceAll: z.boolean() }),
    ),
    sizeBytes: z.number(),
    /** The revision of the file after the edit. Missing in logs of earlier versions. */
    revision: z.string().optional(),
  }),
);

/** A file, or a directory with its contents, was deleted. */
export const DeletePath = defineEvent("files.delete", z.object({ ...author, path }));

/** A file or directory was moved. */
export const MovePath = defineEvent(
  "files.move",
  z.object({ ...author, from: path, to: path, overwrite: z.boolean() }),
);

/** A file or directory was copied. */
export const CopyPath = defineEvent(
  "files.copy",
  z.object({ ...author, from: path, to: path, overwrite: z.boolean() }),
);

/** A shell command, or a program with the same access, was run. The event names the changed files but not their contents. */
export const RunCommand = defineEvent(
  "shell.run",
  z.object({
    ...author,
    /** The command, cut if it is long. */
    command: z.string(),
    /** `null` if it was killed before it could report one. */
    exitCode: z.number().nullable(),
    changed: z.array(z.object({ path, sizeBytes: z.number() })),
    removed: z.array(path),
    /** The number of changed or removed paths that are not listed. */
    unnamed: z.number(),
  }),
);
