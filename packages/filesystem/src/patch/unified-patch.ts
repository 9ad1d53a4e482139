import { TimeSlices } from "../content/time-slices.js";
import { FilesystemError } from "../protocol/filesystem-error.js";
import type { TreeChange } from "../snapshots/change-set.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import { binaryPatch } from "./binary-patch.js";
import { blobId, NO_BLOB } from "./unified-patch-blob.js";
import { textHunks } from "./unified-patch-hunks.js";
import { quotedName } from "./unified-patch-names.js";

/** Larger texts are written as binary files, because a line diff of them is not useful. */
const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** The contents of larger files are left out: the patch only says that they differ, and `git apply` refuses it. */
const MAX_BINARY_BYTES = 32 * 1024 * 1024;
/** Below the maximum string length of every JavaScript engine. */
const MAX_PATCH_CHARACTERS = 256 * 1024 * 1024;

/**
 * Writes changes as a patch for `git apply`, in the given order.
 *
 * The result depends only on the contents, not on configuration, processes or the clock. Fails with `EFBIG` when the
 * patch would be longer than 256 Mi characters.
 */
export async function unifiedPatch(changes: readonly TreeChange[]): Promise<string> {
  const slices = new TimeSlices();
  const parts: string[] = [];
  let length = 0;
  for (const change of changes) {
    if (slices.isOver()) await slices.pause();
    const part = await patchOf(change, slices);
    length += part.length;
    if (length > MAX_PATCH_CHARACTERS)
      throw new FilesystemError("EFBIG", {
        operation: "toPatch",
        path: (change.after ?? change.before)?.path ?? ".",
        reason: `the patch is longer than ${MAX_PATCH_CHARACTERS} characters`,
      });
    parts.push(part);
  }
  return parts.join("");
}

async function patchOf({ type, before, after }: TreeChange, slices: TimeSlices): Promise<string> {
  const known = after ?? before;
  // Git has no directories, only files.
  if (known === undefined || known.kind === "directory") return "";
  const names = {
    old: before?.path ?? known.path,
    new: known.path,
  };
  const header = [`diff --git ${quotedName("a/", names.old)} ${quotedName("b/", names.new)}\n`];
  header.push(...modeLines(before, after));
  if (type === "renamed") {
    header.push("similarity index 100%\n");
    header.push(`rename from ${quotedName("", names.old)}\n`);
    header.push(`rename to ${quotedName("", names.new)}\n`);
  }
  if (type === "mode" || type === "renamed") return header.join("");

  if ([before, after].some((entry) => (entry?.sizeBytes ?? 0) > MAX_BINARY_BYTES)) {
    const [old, now] = [fileName("a/", before?.path), fileName("b/", after?.path)];
    return `${header.join("")}Binary files ${old.trimEnd()} and ${now.trimEnd()} differ\n`;
  }
  const contents = { old: await contentOf(before), new: await contentOf(after) };
  const ids = {
    old: before ? await blobId(contents.old) : NO_BLOB,
    new: after ? await blobId(contents.new) : NO_BLOB,
  };
  const mode = before && after && modeOf(before) === modeOf(after) ? ` ${modeOf(after)}` : "";
  header.push(`index ${ids.old}..${ids.new}${mode}\n`);
  header.push(await body(before && names.old, after && names.new, contents, slices));
  return header.join("");
}

function modeLines(before: TreeEntry | undefined, after: TreeEntry | undefined): string[] {
  if (before === undefined) return after ? [`new file mode ${modeOf(after)}\n`] : [];
  if (after === undefined) return [`deleted file mode ${modeOf(before)}\n`];
  const modes = [modeOf(before), modeOf(after)];
  return modes[0] === modes[1] ? [] : [`old mode ${modes[0]}\n`, `new mode ${modes[1]}\n`];
}

function modeOf({ kind, executable }: TreeEntry): string {
  if (kind === "symlink") return "120000";
  return executable ? "100755" : "100644";
}

async function contentOf(entry: TreeEntry | undefined): Promise<Uint8Array> {
  return entry === undefined ? new Uint8Array() : await entry.read();
}

async function body(
  oldPath: string | undefined,
  newPath: string | undefined,
  contents: { readonly old: Uint8Array; readonly new: Uint8Array },
  slices: TimeSlices,
): Promise<string> {
  const before = decode(contents.old);
  const after = decode(contents.new);
  if (before === undefined || after === undefined)
    return await binaryPatch(contents.old, contents.new);
  const hunks = await textHunks(before, after, slices);
  return hunks && `--- ${fileName("a/", oldPath)}\n+++ ${fileName("b/", newPath)}\n${hunks}`;
}

/** A name with spaces ends with a tab. Without it, the name would end at the first space. */
function fileName(prefix: "a/" | "b/", path: string | undefined): string {
  if (path === undefined) return "/dev/null";
  const name = quotedName(prefix, path);
  return name.includes(" ") && !name.startsWith('"') ? `${name}\t` : name;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns `undefined` for content that a patch cannot contain as lines of text. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_TEXT_BYTES || bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
