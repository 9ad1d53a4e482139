import { afterCharacter, ClassEnds } from "./character-class.js";

/** Braces that belong together, by where they and the commas between them stand. */
export interface BraceGroup {
  readonly open: number;
  readonly commas: readonly number[];
  readonly close: number;
}

/**
 * The outermost groups of `text` that stand for something, from left to right, told in one pass.
 *
 * Braces without their partner stand for themselves, and so do those of which `isGroup` says so. What is in
 * `[…]` is no syntax of braces.
 */
export function findBraceGroups(
  text: string,
  isGroup: (group: BraceGroup) => boolean,
): readonly BraceGroup[] {
  const classes = new ClassEnds(text);
  const open: { readonly open: number; readonly commas: number[] }[] = [];
  const found: BraceGroup[] = [];
  for (let index = 0; index < text.length; index = afterCharacter(text, index, classes)) {
    const character = text[index];
    if (character === "{") open.push({ open: index, commas: [] });
    else if (character === ",") open.at(-1)?.commas.push(index);
    else if (character === "}") {
      const opened = open.pop();
      if (opened === undefined) continue;
      const group = { ...opened, close: index };
      if (!isGroup(group)) continue;
      // What it holds comes with it.
      while ((found.at(-1)?.open ?? -1) > group.open) found.pop();
      found.push(group);
    }
  }
  return found;
}
