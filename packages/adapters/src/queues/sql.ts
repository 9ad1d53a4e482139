/** A value of a statement. */
export type SqlValue = string | number | null;

/** The time of the database, in milliseconds since 1970. */
export const NOW: unique symbol = Symbol("now");

/** A statement that each database writes in its own dialect. */
export interface Sql {
  /** The text around the values: one part more than `values`. */
  readonly parts: readonly string[];
  readonly values: readonly (SqlValue | typeof NOW)[];
}

/** A part of a statement that is not a value, such as the name of a table. */
class Raw {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function raw(text: string): Raw {
  return new Raw(text);
}

/** Builds a statement. Every `${…}` becomes a parameter, except `raw` and another statement. */
export function sql(
  strings: TemplateStringsArray,
  ...given: readonly (SqlValue | typeof NOW | Raw | Sql)[]
): Sql {
  const parts = [strings[0] ?? ""];
  const values: (SqlValue | typeof NOW)[] = [];
  for (const [index, each] of given.entries()) {
    const after = strings[index + 1] ?? "";
    const inner = each instanceof Raw ? { parts: [each.text], values: [] } : each;
    if (typeof inner === "object" && inner !== null) {
      const [first = "", ...rest] = inner.parts;
      parts.push((parts.pop() ?? "") + first, ...rest);
      values.push(...inner.values);
      parts.push((parts.pop() ?? "") + after);
    } else {
      values.push(inner);
      parts.push(after);
    }
  }
  return { parts, values };
}

/** The text of a statement, and its values in order. `write` returns the text of a value. */
export function rendered(
  { parts, values }: Sql,
  write: (value: SqlValue | typeof NOW, used: SqlValue[]) => string,
): { readonly text: string; readonly values: SqlValue[] } {
  const used: SqlValue[] = [];
  const texts = values.map((value, index) => write(value, used) + (parts[index + 1] ?? ""));
  return { text: (parts[0] ?? "") + texts.join(""), values: used };
}
