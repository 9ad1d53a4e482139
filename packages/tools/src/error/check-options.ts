import { describeKind, findUnknownOption } from "@wink/filesystem/internal";
import { ToolsError } from "./tools-error.js";

/** The kinds of values that options have, with the test for each and its name in messages. */
const KINDS = {
  string: ["a string", (value: unknown) => typeof value === "string"],
  number: ["a number", (value: unknown) => typeof value === "number"],
  boolean: ["true or false", (value: unknown) => typeof value === "boolean"],
  function: ["a function", (value: unknown) => typeof value === "function"],
  object: ["an object", isObject],
  objects: ["an array of objects", (value: unknown) => isArrayOf(value, isObject)],
  strings: ["an array of strings", (value: unknown) => isArrayOf(value, isString)],
  session: ["a Session", (value: unknown) => hasMethods(value, "dispatch", "install")],
  filesystem: ["a Filesystem", (value: unknown) => hasMethods(value, "read", "stat", "glob")],
  engine: [
    "a Python engine with run() and close()",
    (value: unknown) => hasMethods(value, "run", "close"),
  ],
  "just-bash": [
    "a filesystem of just-bash",
    (value: unknown) => hasMethods(value, "readFileBuffer", "resolvePath"),
  ],
  iterable: ["iterable", (value: unknown) => isIterable(value)],
  signal: ["an AbortSignal", (value: unknown) => value instanceof AbortSignal],
  // Another function checks it.
  any: ["", () => true],
} as const;

export type Kind = keyof typeof KINDS;

/** The kind of each option. It names every option, so that a misspelt one is found. */
export type OptionKinds<Options> = Readonly<Record<keyof Options, Kind>>;

/** Throws if the options have an unknown key or a value of another kind, or lack one that is required. */
export function checkOptions(
  subject: string,
  options: unknown,
  kinds: Readonly<Record<string, Kind>>,
  required: readonly string[] = [],
): void {
  const problem = findUnknownOption(options, Object.keys(kinds));
  if (problem !== undefined) throw invalidOption(subject, problem);
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, kind] of Object.entries(kinds))
    if (given[name] !== undefined || required.includes(name))
      checkValue(`${subject}: option '${name}'`, given[name], kind);
}

/** Throws if the value is of another kind. */
export function checkValue(subject: string, value: unknown, kind: Kind): void {
  const [name, holds] = KINDS[kind];
  if (holds(value)) return;
  throw invalidOption(subject, `it must be ${name}, got ${describeKind(value)}`);
}

/** Fills in the defaults. Throws if a limit is unknown or not an integer above 0. */
export function resolveLimits<Name extends string>(
  subject: string,
  limits: Readonly<Partial<Record<Name, number | undefined>>> | undefined,
  defaults: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  const problem = findUnknownOption(limits, Object.keys(defaults));
  if (problem !== undefined) throw invalidOption(subject, problem);
  const given = Object.entries(limits ?? {}).filter(([, value]) => value !== undefined);
  const resolved = { ...defaults, ...Object.fromEntries(given) };
  for (const [name, value] of Object.entries(resolved))
    if (!Number.isSafeInteger(value) || Number(value) < 1)
      throw invalidOption(subject, `${name} must be a whole number above 0, got ${String(value)}`);
  return Object.freeze(resolved);
}

/** Throws if mounts are given without `allowedHostRoots`. */
export function requireRoots(
  subject: string,
  options: {
    readonly mounts?: readonly unknown[] | undefined;
    readonly allowedHostRoots?: readonly string[] | undefined;
  },
): void {
  const { mounts = [], allowedHostRoots = [] } = options;
  if (mounts.length > 0 && allowedHostRoots.length === 0)
    throw invalidOption(
      subject,
      "mounts need allowedHostRoots",
      'Name the host directories that may be mounted, for example allowedHostRoots: ["."]',
    );
}

/** Throws if JavaScript called a private constructor. `create` passes an object with a `template`. */
export function requireCreated(subject: string, parts: object): void {
  if (!isObject(parts) || !("template" in parts))
    throw invalidOption(
      subject,
      "it cannot be created with new, because it has to read files first",
      `Use await ${subject}.create(options)`,
    );
}

export function invalidOption(subject: string, reason: string, action?: string): ToolsError {
  return new ToolsError("INVALID_OPTION", { subject, reason, action });
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isString(value: unknown): boolean {
  return typeof value === "string";
}

function isArrayOf(value: unknown, holds: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(holds);
}

function isIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.iterator in value;
}

function hasMethods(value: unknown, ...names: readonly string[]): boolean {
  if (!isObject(value)) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return names.every((name) => typeof members[name] === "function");
}
