const MAX_SHOWN_CHARACTERS = 100;

/** A hostile name in a message must not control a terminal or flood a log. */
export function quoted(name: unknown): string {
  if (typeof name !== "string") return `a value of type ${typeof name}`;
  const text =
    name.length > MAX_SHOWN_CHARACTERS ? `${name.slice(0, MAX_SHOWN_CHARACTERS)}…` : name;
  const escaped = text
    .toWellFormed()
    .replace(
      /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
    );
  return `'${escaped}'`;
}
