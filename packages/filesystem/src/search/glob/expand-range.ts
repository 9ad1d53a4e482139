/** The most values that one range such as `{1..1000}` may have. */
export const MAX_RANGE_VALUES = 1_000;

export class RangeTooLong extends Error {}

/**
 * Writes the values of `{first..last}` or `{first..last..step}` as an expression. Numbers count, with leading zeros as in the
 * longer end (`{08..10}`); single characters run through their code points. Anything else is text.
 */
export function expandRange(first: string, last: string, step?: string): string {
  const values = numbersOf(first, last, step) ?? charactersOf(first, last, step);
  if (values === undefined)
    return escapeText(`{${[first, last, ...(step === undefined ? [] : [step])].join("..")}}`);
  return `(${values.map(escapeText).join("|")})`;
}

function numbersOf(
  first: string,
  last: string,
  step: string | undefined,
): readonly string[] | undefined {
  if (!isInteger(first) || !isInteger(last)) return undefined;
  const isPadded = /^-?0\d/.test(first) || /^-?0\d/.test(last);
  const width = isPadded ? Math.max(first.length, last.length) : 0;
  return count(Number(first), Number(last), step)?.map((value) => pad(value, width));
}

function charactersOf(
  first: string,
  last: string,
  step: string | undefined,
): readonly string[] | undefined {
  if ([...first].length !== 1 || [...last].length !== 1) return undefined;
  const codes = count(first.codePointAt(0) ?? 0, last.codePointAt(0) ?? 0, step);
  return codes
    ?.map((code) => String.fromCodePoint(code))
    .filter((character) => character.isWellFormed());
}

function count(
  first: number,
  last: number,
  step: string | undefined,
): readonly number[] | undefined {
  if (step !== undefined && !isInteger(step)) return undefined;
  const width = Math.abs(Number(step ?? 1)) || 1;
  const length = Math.floor(Math.abs(last - first) / width) + 1;
  if (!(length <= MAX_RANGE_VALUES)) throw new RangeTooLong();
  const direction = last < first ? -1 : 1;
  return Array.from({ length }, (_, index) => first + direction * width * index);
}

function isInteger(text: string): boolean {
  return /^-?\d{1,15}$/.test(text);
}

function pad(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0");
}

function escapeText(text: string): string {
  return text.replaceAll(/[^a-zA-Z0-9]/gu, (character) =>
    character.length === 1 ? `\\${character}` : character,
  );
}
