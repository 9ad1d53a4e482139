/** A group of hostile cases and its numbers. Numbering continues from group to group. */
export interface CaseGroup {
  readonly letter: string;
  readonly first: number;
  readonly last: number;
}

export const caseGroups: readonly CaseGroup[] = [
  { letter: "A", first: 1, last: 46 },
  { letter: "B", first: 47, last: 72 },
  { letter: "C", first: 73, last: 92 },
  { letter: "D", first: 93, last: 135 },
  { letter: "E", first: 136, last: 152 },
  { letter: "F", first: 153, last: 182 },
  { letter: "G", first: 183, last: 191 },
  { letter: "H", first: 192, last: 222 },
  { letter: "I", first: 223, last: 232 },
  { letter: "J", first: 233, last: 250 },
  { letter: "K", first: 251, last: 258 },
];

/** `A1`, `A2` and so on to the last of the group. */
export function idsOf({ letter, first, last }: CaseGroup): readonly string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `${letter}${first + index}`);
}
