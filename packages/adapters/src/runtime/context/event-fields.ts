import type { Schema } from "@wink/prompt";

interface FieldTypes {
  readonly text: string;
  readonly flag: boolean;
  /** At least 0. */
  readonly amount: number;
  readonly texts: readonly string[];
  /** A text, or missing. */
  readonly "text?": string;
}

type Declared = Readonly<Record<string, keyof FieldTypes>>;

type OptionalIn<Fields extends Declared> = {
  [Name in keyof Fields]: Fields[Name] extends "text?" ? Name : never;
}[keyof Fields];

type Payload<Fields extends Declared> = {
  readonly [Name in Exclude<keyof Fields, OptionalIn<Fields>>]: FieldTypes[Fields[Name]];
} & { readonly [Name in OptionalIn<Fields>]?: FieldTypes[Fields[Name]] };

const CHECKS: Readonly<Record<keyof FieldTypes, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  flag: (value) => typeof value === "boolean",
  amount: (value) => typeof value === "number" && value >= 0,
  "text?": (value) => value === undefined || typeof value === "string",
  texts: (value) => Array.isArray(value) && value.every((each) => typeof each === "string"),
};

/**
 * The schema of an event with exactly these fields.
 *
 * Two events are recorded for every tool call, so this check is simpler and faster than the
 * schemas for models.
 */
export function eventFields<const Fields extends Declared>(
  fields: Fields,
): Schema<Payload<Fields>> {
  const names = Object.keys(fields);
  return {
    "~standard": {
      version: 1,
      vendor: "wink",
      validate(value) {
        if (typeof value !== "object" || value === null)
          return { issues: [{ message: "it must be an object" }] };
        // Every lookup is checked below.
        const given = value as Readonly<Record<string, unknown>>;
        const wrong = names.find((name) => !CHECKS[fields[name] ?? "text"](given[name]));
        const strange = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
        const path = wrong ?? strange;
        if (path !== undefined)
          return {
            issues: [{ message: "the field is unknown or has the wrong type", path: [path] }],
          };
        // Every field was checked above.
        return { value: value as Payload<Fields> };
      },
    },
  };
}
