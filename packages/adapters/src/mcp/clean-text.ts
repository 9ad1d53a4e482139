import { clip } from "../runtime/context/clip.js";

/** Characters that a person who looks at a text does not see, but a model reads. */
const UNSEEN = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu;

/** Text from a foreign server: what is seen is what is there, and it is not longer than allowed. */
export function cleanText(text: string, maxCharacters: number): string {
  return clip(text.replace(UNSEEN, ""), maxCharacters);
}

/** Whether everything in a text is seen. */
export function isSeen(text: string): boolean {
  return text.search(UNSEEN) === -1;
}
