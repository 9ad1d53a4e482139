import { clip } from "../runtime/context/clip.js";

/** Characters that are invisible to a person but that a model reads. */
const UNSEEN = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu;

/** Removes invisible characters from a foreign text and limits its length. */
export function cleanText(text: string, maxCharacters: number): string {
  return clip(text.replace(UNSEEN, ""), maxCharacters);
}

/** Whether a person sees every character of the text. */
export function isSeen(text: string): boolean {
  return text.search(UNSEEN) === -1;
}
