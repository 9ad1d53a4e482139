/**
 * What a name is called inside a tree object.
 *
 * git refuses to look at trees with names that mean something to it on some
 * platform: `.git` in any spelling, `git~1`, `.gitmodules` and so on. A workspace
 * may hold all of them. They are kept behind a prefix, so that they mean nothing
 * to git and come back as they were.
 */

const PREFIX = "_wink_";

/** What Apple's filesystem does not see in a name. */
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/**
 * Which names are kept behind the prefix: `every` one that git looks into, or only those
 * it `refuses`, for a repository in which people want to see their own files.
 */
export type NamesEscaped = "every" | "refused";

const HARMLESS = /^\.(?:gitignore|gitattributes|mailmap)$/;
const SPECIAL = /^(?:\.git|\.mailmap|[gm].*~\d|_wink_)|\\/i;
/** Printable, one byte a character, no slash and no backslash. */
const SIMPLE = /^[ -.0-[\]-~]*$/;

/** Whether a name is called the same on disk, in a workspace and in a tree object, character by byte. */
export function isPlain(name: string, escaped: NamesEscaped = "every"): boolean {
  return SIMPLE.test(name) && !isEscaped(name, escaped);
}

function isEscaped(name: string, escaped: NamesEscaped): boolean {
  if (!SPECIAL.test(name)) return false;
  return escaped === "every" || !HARMLESS.test(name);
}

/** The bytes of a tree entry's name for a name on disk. */
export function treeName(raw: Buffer, escaped: NamesEscaped): Buffer {
  if (!isEscaped(raw.toString().replace(INVISIBLE, ""), escaped)) return raw;
  // A backslash separates segments for git where it thinks of Windows, so it cannot stay.
  const inert = raw.toString("latin1").replace(/%/g, "%25").replace(/\\/g, "%5C");
  return Buffer.from(PREFIX + inert, "latin1");
}

/** The name on disk for the bytes of a tree entry's name. */
export function diskName(name: Buffer): Buffer {
  const text = name.toString("latin1");
  if (!text.startsWith(PREFIX)) return name;
  const plain = text
    .slice(PREFIX.length)
    .replace(/%(5C|25)/g, (_, code: string) => (code === "25" ? "%" : "\\"));
  return Buffer.from(plain, "latin1");
}
