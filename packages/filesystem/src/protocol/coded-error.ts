import { describeKind } from "@wink/store/internal";

/**
 * The base of this package's errors. Branch on `code`; show `message`, or make your own from the other fields.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;
  /** What the error is about, such as a path or a snapshot. Never a host path. */
  readonly subject: string;
  /** The problem, as the rest of a sentence about the subject. */
  readonly reason: string;
  /** What a developer can do, as a sentence. `undefined` if there is nothing to advise. */
  readonly advice: string | undefined;

  /**
   * @param head what the message begins with; the problem and the advice follow it
   * @param known the reason and advice of the code. Its advice is for its own reason only.
   */
  protected constructor(
    head: string,
    code: Code,
    given: {
      readonly subject: string;
      readonly reason?: string | undefined;
      readonly advice?: string | undefined;
      readonly cause?: unknown;
    },
    known: { readonly reason: string; readonly advice?: string } | undefined,
  ) {
    const reason = escapeControls(given.reason ?? known?.reason ?? "it failed");
    const advice = given.advice ?? (given.reason === undefined ? known?.advice : undefined);
    const problem = /[.?!]$/.test(reason) ? reason : `${reason}.`;
    super(
      `${head}: ${problem}${advice === undefined ? "" : ` ${advice}`}`,
      given.cause === undefined ? {} : { cause: given.cause },
    );
    this.code = code;
    this.subject = given.subject;
    this.reason = reason;
    this.advice = advice;
  }
}

/** The options of an error, which a caller in JavaScript may forget. */
export function orEmpty<T extends object>(options: T): Partial<T> {
  return typeof options === "object" && options !== null ? options : {};
}

/** Whether `error` is of the class with this brand, of any copy of the package, and has the `code` if one is given. */
export function isBranded(error: unknown, brand: symbol, code: string | undefined): boolean {
  if (typeof error !== "object" || error === null || !(brand in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

const MAX_SHOWN_CHARACTERS = 300;

/** A hostile name in a message must not control a terminal, flood a log or break JSON. */
export function printable(name: string): string {
  // An untyped caller may pass anything as a path.
  if (typeof name !== "string") return describeKind(name);
  const isLong = name.length > MAX_SHOWN_CHARACTERS;
  return escapeControls(isLong ? `${name.slice(0, MAX_SHOWN_CHARACTERS)}…` : name);
}

function escapeControls(text: string): string {
  return text
    .toWellFormed()
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
}
