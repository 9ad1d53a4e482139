import { defineEvent } from "@wink/session";
import { z } from "zod";

const path = z.string();

/** Who made a change: the agent, with which tool, in which call. */
const author = {
  /** The key of the workspace section whose files they are. */
  workspace: z.string(),
  /** The prompt that the tool was called from, as `ns/key`. */
  writer: z.string(),
  tool: z.string(),
  toolCallId: z.string(),
};

/** What was there when the workspace was made. These files have version 0. */
export const MountFiles = defineEvent(
  "files.mount",
  z.object({
    workspace: z.string(),
    files: z.array(z.object({ path, sizeBytes: z.number() })),
  }),
);

/** A file was created, replaced or added to. */
export const WriteFile = defineEvent(
  "files.write",
  z.object({
    ...author,
    path,
    content: z.string(),
    mode: z.enum(["create", "overwrite", "append"]),
    /** Of the whole file afterwards. */
    sizeBytes: z.number(),
  }),
);

/** Texts in a file were replaced, all at once. */
export const EditFile = defineEvent(
  "files.edit",
  z.object({
    ...author,
    path,
    edits: z.array(
      z.object({ oldString: z.string(), newString: z.string(), replaceAll: z.boolean() }),
    ),
    sizeBytes: z.number(),
  }),
);

/** A file, or a directory with all that is in it, was deleted. */
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

/** A command was run in a shell, or a program that could do what a shell can. What it wrote is not here, only where. */
export const RunCommand = defineEvent(
  "shell.run",
  z.object({
    ...author,
    /** As it was given, or the beginning of it. */
    command: z.string(),
    /** `null` when it did not live to tell it. */
    exitCode: z.number().nullable(),
    changed: z.array(z.object({ path, sizeBytes: z.number() })),
    removed: z.array(path),
    /** How many more paths it changed or removed than are named. */
    unnamed: z.number(),
  }),
);
