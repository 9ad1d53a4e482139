import type { Schema } from "@wink/prompt";

interface FieldTypes {
  readonly text: string;
  readonly flag: boolean;
  /** From 0. */
  readonly amount: number;
  readonly texts: readonly string[];
  /** A text, or not there. */
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
 * The schema of an event with these fields, all of them there but those that may be missing, and no other.
 *
 * Two events surround every tool call, so they are checked without the machinery
 * that schemas for models need.
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
        // Looked up by names that are its own or not there.
        const given = value as Readonly<Record<string, unknown>>;
        const wrong = names.find((name) => !CHECKS[fields[name] ?? "text"](given[name]));
        const strange = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
        const path = wrong ?? strange;
        if (path !== undefined)
          return { issues: [{ message: "it does not belong here", path: [path] }] };
        // Every field was checked above.
        return { value: value as Payload<Fields> };
      },
    },
  };
}
