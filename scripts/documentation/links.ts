import path from "node:path";
import { withoutCode } from "./code-blocks.js";

/** A link of a page to another file of the repository. */
export interface FileLink {
  readonly line: number;
  readonly target: string;
  /** The linked file or folder, from the root of the repository. */
  readonly file: string;
}

const INLINE = /\]\(\s*<?([^\s()<>]+)>?(?:\s+"[^"]*")?\s*\)/g;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s*<?([^\s<>]+)/g;

/** Every relative link of a page. Addresses and links within the page are left out. */
export function findFileLinks(page: string, markdown: string): readonly FileLink[] {
  return withoutCode(markdown)
    .split("\n")
    .flatMap((text, index) =>
      [...text.matchAll(INLINE), ...text.matchAll(DEFINITION)].flatMap(([, target = ""]) => {
        const [name = ""] = target.split(/[#?]/);
        if (name === "" || /^[a-z][a-z0-9+.-]*:/i.test(target)) return [];
        const file = name.startsWith("/")
          ? name.slice(1)
          : path.posix.join(path.posix.dirname(page), decodeURI(name));
        return [{ line: index + 1, target, file }];
      }),
    );
}
