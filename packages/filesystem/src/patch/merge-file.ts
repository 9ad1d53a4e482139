import { equalBytes } from "../content/file-content.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { mergeText } from "./merge-text.js";

/**
 * Decides a three-way merge of one file: what to do with `ours` to take over the change from `base` to `theirs`.
 *
 * A change on one side wins and equal changes count once. With `combine`, changes to different lines of a text are
 * combined too; without it they are a conflict. `undefined` in the place of a version means that there is no file.
 */
export async function mergeFile<
  Version extends { readonly bytes: Uint8Array; readonly executable: boolean },
>(
  versions: {
    readonly base: Version | undefined;
    readonly ours: Version | undefined;
    readonly theirs: Version | undefined;
  },
  options: { readonly combine: boolean },
): Promise<
  | { readonly kind: "keep" }
  | { readonly kind: "delete" }
  | {
      readonly kind: "write";
      readonly bytes: Uint8Array;
      readonly executable: boolean;
      /** Whether the bytes contain changes of both sides. */
      readonly combined: boolean;
    }
  | {
      readonly kind: "conflict";
      readonly reason: "both-added" | "both-changed" | "deleted-in-ours" | "deleted-in-theirs";
    }
> {
  const { base, ours, theirs } = versions ?? {};
  const areFiles = [base, ours, theirs].every((each) => !each || each.bytes instanceof Uint8Array);
  if (!areFiles || typeof versions !== "object" || typeof options?.combine !== "boolean")
    throw invalidArgument(
      "mergeFile",
      "the arguments must be { base, ours, theirs } and { combine }",
    );
  if (theirs === undefined) {
    if (ours === undefined) return { kind: "keep" };
    return base !== undefined && isSame(ours, base)
      ? { kind: "delete" }
      : { kind: "conflict", reason: "deleted-in-theirs" };
  }
  if (ours === undefined)
    return base === undefined
      ? { kind: "write", bytes: theirs.bytes, executable: theirs.executable, combined: false }
      : { kind: "conflict", reason: "deleted-in-ours" };
  const write = (bytes: Uint8Array, executable: boolean, combined: boolean) => {
    if (isSame(ours, { bytes, executable })) return { kind: "keep" } as const;
    return { kind: "write", bytes, executable, combined } as const;
  };
  if (base === undefined)
    return equalBytes(theirs.bytes, ours.bytes)
      ? write(ours.bytes, theirs.executable || ours.executable, false)
      : { kind: "conflict", reason: "both-added" };
  const { executable } = theirs.executable === base.executable ? ours : theirs;
  if (equalBytes(ours.bytes, base.bytes)) return write(theirs.bytes, executable, false);
  if (equalBytes(theirs.bytes, ours.bytes)) return write(ours.bytes, executable, false);
  const combined = options.combine
    ? await combineBytes(base.bytes, ours.bytes, theirs.bytes)
    : undefined;
  if (combined === undefined) return { kind: "conflict", reason: "both-changed" };
  return write(combined, executable, true);
}

/** Combines a text that both sides changed, and any content that only `ours` changed. */
async function combineBytes(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<Uint8Array | undefined> {
  if (equalBytes(theirs, base)) return ours;
  const [origin, left, right] = [decode(base), decode(ours), decode(theirs)];
  if (origin === undefined || left === undefined || right === undefined) return undefined;
  const merged = await mergeText(origin, left, right);
  return merged === undefined ? undefined : new TextEncoder().encode(merged);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

interface Version {
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

function isSame(a: Version, b: Version): boolean {
  return a.executable === b.executable && equalBytes(a.bytes, b.bytes);
}
