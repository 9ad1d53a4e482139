import type { Schema } from "./schema.js";

type Check = (value: unknown) => boolean;

/** Checks of the parts of plain data. */
export const is = {
  text: (value: unknown) => typeof value === "string",
  flag: (value: unknown) => typeof value === "boolean",
  amount: (value: unknown) => typeof value === "number" && value >= 0,
  listOf: (check: Check) => (value: unknown) => Array.isArray(value) && value.every(check),
  recordOf: (check: Check) => (value: unknown) =>
    typeof value === "object" && value !== null && Object.values(value).every(check),
  optional: (check: Check) => (value: unknown) => value === undefined || check(value),
  /** An object with exactly these fields. */
  object(fields: Readonly<Record<string, Check>>): Check {
    const names = Object.keys(fields);
    return (value) => {
      if (typeof value !== "object" || value === null) return false;
      // The lookups below are checked one by one.
      const given = value as Readonly<Record<string, unknown>>;
      return (
        names.every((name) => fields[name]?.(given[name])) &&
        Object.keys(given).every((name) => Object.hasOwn(fields, name))
      );
    };
  },
};

/** The schema of an event with exactly these fields. */
export function eventSchema<Payload>(
  fields: {
    readonly [Name in keyof Required<Payload>]: Check;
  },
): Schema<Payload> {
  return plainSchema(is.object(fields));
}

/**
 * The schema of plain data that passes `check`.
 *
 * Every tool call records events and changes state, so this is simpler and faster than the schemas for models.
 */
export function plainSchema<Data>(check: Check): Schema<Data> {
  return {
    "~standard": {
      version: 1,
      vendor: "wink",
      validate: (value) =>
        check(value)
          ? // The caller declares the type that the check accepts.
            { value: value as Data }
          : { issues: [{ message: "a field is missing, unknown or has the wrong type" }] },
    },
  };
}
