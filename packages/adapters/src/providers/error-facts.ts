import type { ReadHeader } from "./retry-hint.js";

/** The facts of an error from any provider's client. */
export interface ErrorFacts {
  /** The status of the HTTP response, if there was one. */
  readonly status: number | undefined;
  /** All names of the error: its class name, and the provider's type and code. */
  readonly names: readonly string[];
  readonly message: string;
  readonly header: ReadHeader;
}

// The fields under which clients nest the provider's error, from the outside in.
const NESTS = ["error", "data", "cause"];
const NAMES = ["name", "type", "code"];
const DEEPEST = 5;
/** Limited because a server controls the text and regular expressions search it. */
const MAX_MESSAGE_CHARACTERS = 4_000;

/**
 * Reads an error by its shape. `instanceof` does not work, because the client's classes differ
 * between versions and between two copies of a package.
 */
export function factsOf(error: unknown): ErrorFacts {
  const layers = [...layersOf(error, DEEPEST)];
  const first = <T>(key: string, is: (value: unknown) => value is T): T | undefined =>
    layers.map((layer) => layer[key]).find(is);
  return {
    // Proxy servers send the status as a code.
    status: ["status", "statusCode", "code"].map((key) => first(key, isStatus)).find(isStatus),
    names: layers.flatMap((layer) => NAMES.map((key) => layer[key]).filter(isString)),
    message: layers
      .map((layer) => layer["message"])
      .filter(isString)
      .map((message) => message.slice(0, MAX_MESSAGE_CHARACTERS))
      .join("\n")
      .slice(0, 4 * MAX_MESSAGE_CHARACTERS),
    header: headerReader(first("headers", isRecord) ?? first("responseHeaders", isRecord)),
  };
}

type Layer = Readonly<Record<string, unknown>>;

function* layersOf(value: unknown, depth: number): Generator<Layer> {
  if (typeof value === "string") yield { message: value };
  if (!isRecord(value) || depth === 0) return;
  yield value;
  for (const key of NESTS) yield* layersOf(value[key], depth - 1);
}

function headerReader(headers: Layer | undefined): ReadHeader {
  if (headers === undefined) return () => undefined;
  if (headers instanceof Headers) return (name) => headers.get(name) ?? undefined;
  return (name) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
}

function isStatus(value: unknown): value is number {
  return typeof value === "number" && value >= 100 && value < 600;
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isRecord(value: unknown): value is Layer {
  return typeof value === "object" && value !== null;
}
