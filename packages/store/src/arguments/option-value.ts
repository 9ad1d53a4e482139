import { describeKind } from "./describe-kind.js";

interface Kind {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

const FUNCTION: Kind = { expected: "a function", accepts: (value) => typeof value === "function" };
const NUMBER: Kind = {
  expected: "a number",
  // Every comparison with NaN is false, so a loop with such a limit would not end.
  accepts: (value) => typeof value === "number" && !Number.isNaN(value),
};
const TEXT: Kind = { expected: "a string", accepts: (value) => typeof value === "string" };
const NO_SYMBOL: Kind = { expected: "plain data", accepts: (value) => typeof value !== "symbol" };
const SIGNAL: Kind = {
  expected: "an AbortSignal",
  accepts: (value) => hasMethod(value, "throwIfAborted"),
};
const DEADLINE: Kind = {
  expected: "a Deadline, such as Deadline.in('2m')",
  accepts: (value) => hasMethod(value, "remainingMs"),
};
const TEXTS: Kind = {
  expected: "an array of strings",
  accepts: (value) => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
const OBJECT: Kind = {
  expected: "an object",
  accepts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};
const ADDRESS: Kind = {
  expected: "a URL, such as 'http://localhost:11434/v1'",
  accepts: (value) => typeof value === "string" && URL.canParse(value),
};
const TELEMETRY: Kind = {
  expected: "telemetry, such as openTelemetry()",
  accepts: (value) => hasMethod(value, "run"),
};
const LIST: Kind = { expected: "an array", accepts: Array.isArray };

/** The first pattern that matches a name decides. A name means the same in all packages. */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^signal$/, SIGNAL],
  [/^deadline$/, DEADLINE],
  [/^(?:onConflict|onAgentChanged)$/, NO_SYMBOL],
  [/^on[A-Z]|^(?:redact|prepare|returnTo|render)$/, FUNCTION],
  [/^(?:max|min)[A-Z]|(?:Ms|Bytes|Characters|Tokens|Usd)$|^(?:port|keepResults)$/, NUMBER],
  [
    /^(?:stateDirectory|storeDirectory|socketPath|region|endpoint|commitId|entry|apiKey)$|Prefix$/,
    TEXT,
  ],
  [/^(?:paths|hunks|include|exclude|betas)$/, TEXTS],
  [/^(?:extraBody|extraOptions|providerOptions|client)$/, OBJECT],
  [/^baseURL$/, ADDRESS],
  [/^telemetry$/, TELEMETRY],
  [/^(?:policies|feedback|examples|slices)$/, LIST],
  [/^/, NO_SYMBOL],
];

const kinds = new Map<string, Kind>();

/** What is wrong with the value of a known option, as far as its name decides its kind. `undefined` if nothing is. */
export function findValueProblem(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  let kind = kinds.get(name);
  if (kind === undefined) {
    kind = KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? NO_SYMBOL;
    kinds.set(name, kind);
  }
  if (kind.accepts(value)) return undefined;
  return `option '${name}' must be ${kind.expected}, got ${describeKind(value)}.`;
}

function hasMethod(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return typeof Reflect.get(value, name) === "function";
}
