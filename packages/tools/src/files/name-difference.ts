import type { StepCounter } from "../reply/step-counter.js";
import { includesText } from "./byte-edits.js";

/** The difference between longer texts is not searched, because NFKC can make a text 18 times as long. */
const MAX_CHARACTERS = 100_000;

type Fold = (text: string) => string;

const lineEnds: Fold = (text) => text.replaceAll("\r\n", "\n");
const trailing: Fold = (text) => lineEnds(text).split("\n").map(withoutBlanksAtEnd).join("\n");
const spaces: Fold = (text) => text.replace(/\s+/g, "");
const composed: Fold = (text) => spaces(text.normalize("NFC"));
const plain: Fold = (text) => spaces(straightenQuotes(text.normalize("NFKC")));

/** Kinds of differences, the smallest first. `fold` removes the difference from a text. */
const DIFFERENCES: readonly { readonly fold: Fold; readonly name: string }[] = [
  { fold: lineEnds, name: "line ends: the file has \\r\\n" },
  { fold: trailing, name: "white space at the end of lines" },
  { fold: spaces, name: "white space" },
  { fold: composed, name: "the Unicode form of characters" },
  { fold: plain, name: "quotation marks or other similar characters" },
  { fold: (text) => plain(text).toLowerCase(), name: "upper and lower case" },
];

/** Names the first kind of difference without which `found` would contain the sought text. */
export async function nameDifference(
  found: string,
  sought: string,
  steps: StepCounter,
): Promise<string | undefined> {
  if (found.length + sought.length > MAX_CHARACTERS) return undefined;
  for (const { fold, name } of DIFFERENCES) {
    if (steps.spend(10 * (found.length + sought.length))) await steps.pause();
    const end = fold === trailing ? fold(sought).trimEnd() : fold(sought);
    if (await includesText(fold(found), end, steps)) return name;
  }
  return undefined;
}

export function straightenQuotes(text: string): string {
  return text.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');
}

/** A loop, because `/[ \t]+$/` takes quadratic time on blanks inside of a line. */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end--;
  return line.slice(0, end);
}
