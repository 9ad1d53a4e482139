/**
 * Converts names to and from their form in a tree object.
 *
 * git rejects trees with names that are special on some platform: `.git` in any spelling, `git~1`, `.gitmodules`
 * and so on. A workspace may contain all of them. They are stored with a prefix, so that git ignores them and they
 * can be restored unchanged.
 */

const PREFIX = "_wink_";

/** Characters that Apple's filesystem ignores in a name. */
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
/**
 * Which names get the prefix. `every` escapes all names that are special to git. `refused` escapes only the
 * names that git rejects, so that users of a repository see their own files.
 */
export type NamesEscaped = "every" | "refused";

const HARMLESS = /^\.(?:gitignore|gitattributes|mailmap)$/;
const SPECIAL = /^(?:\.git|\.mailmap|[gm].*~\d|_wink_)|\\/i;
/** Printable ASCII without slash and backslash. */
const SIMPLE = /^[ -.0-[\]-~]*$/;

/** Whether a name is the same on disk, in a workspace and in a tree object, with one byte per character. */
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
  // On Windows git treats a backslash as a separator, so it is escaped.
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
