import { defineEvent } from "@wink/session";
import { eventSchema, is } from "../schema/event-schema.js";

export interface ChangedFile {
  /** The key of the workspace section that owns the files. */
  readonly workspace: string;
  /** The prompt of the tool call, as `ns/key`. */
  readonly writer: string;
  readonly tool: string;
  readonly toolCallId: string;
  readonly path: string;
  /** `delete` removes a directory with everything below it. */
  readonly kind: "create" | "modify" | "delete";
  /** What is at the path now. This and the following fields are missing after a deletion. */
  readonly node?: "file" | "directory" | "symlink";
  readonly sizeBytes?: number;
  /** The Unix permission bits of a file, or of a directory if they are not `0o755`. */
  readonly mode?: number;
  /** The revision of a file, as the filesystem reports it. */
  readonly revision?: string;
  /** SHA-256 of a file's bytes or of a link's target, in hexadecimal. */
  readonly contentId?: string;
  /** The target of a link, if it is UTF-8. */
  readonly link?: string;
}

/**
 * A tool call changed a path, and no other event of the call says how.
 *
 * The loop records it when the call is committed, for every kind of tool. It has no content:
 * `contentId` identifies it.
 */
export const ChangeFile = defineEvent(
  "files.change",
  eventSchema<ChangedFile>({
    workspace: is.text,
    writer: is.text,
    tool: is.text,
    toolCallId: is.text,
    path: is.text,
    kind: is.text,
    node: is.optional(is.text),
    sizeBytes: is.optional(is.amount),
    mode: is.optional(is.amount),
    revision: is.optional(is.text),
    contentId: is.optional(is.text),
    link: is.optional(is.text),
  }),
);
