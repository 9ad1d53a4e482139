import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { internalNames } from "./budget.js";
import { listEntryPoints } from "./entry-points.js";

/** Calls with a side effect on this machine, and the reason why they are not probed. */
const NOT_PROBED: Readonly<Record<string, string>> = {
  diagnosePodman: "starts containers",
};

/** Functions that accept any first argument, so `{ wrongOption: 1 }` is not an error. */
const ACCEPTS_ANY: Readonly<Record<string, string>> = {
  allow: "has no parameter",
  jsonSchema: "a JSON Schema may have any keyword",
  hostilePaths: "has no parameter",
  MemoryStorage: "has no parameter",
  TransactionQueue: "has no parameter",
  "TransactionQueue.withoutContext": "has no parameter",
};

const WRONG = {
  undefined: undefined,
  null: null,
  "a number": 42,
  "a text": "wink-probe",
  "an array": [],
  "an empty object": {},
  "a function": () => undefined,
  "a symbol": Symbol("probe"),
  "an unknown option": { wrongOption: 1 },
};

/** How long a call may run before it counts as accepted, such as an iterator that waits for a file. */
const MAX_CALL_MS = 100;

type Call = (...given: readonly unknown[]) => unknown;
// biome-ignore lint/complexity/noBannedTypes: any exported function or class.
type Exported = Function & (new (...given: readonly unknown[]) => unknown);

let directory = "";
const before = process.cwd();
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), "wink-probe-"));
  process.chdir(directory);
});
afterAll(() => {
  process.chdir(before);
  rmSync(directory, { recursive: true, force: true });
});

// Only our own packages import the internal entry points.
const entryPoints = listEntryPoints("sources")
  .map(({ specifier }) => specifier)
  .filter((specifier) => !specifier.endsWith("/internal"));

it.each(entryPoints)(
  "every function and class of %s answers wrong arguments with a typed error",
  { timeout: 60_000 },
  async (specifier) => {
    const problems: string[] = [];
    for (const [label, call] of await callsOf(specifier))
      for (const [title, given] of Object.entries(argumentLists())) {
        const error = await failureOf(call, given);
        if (error !== undefined && !isTyped(error, specifier))
          problems.push(`${label}(${title}): ${String(error).split("\n")[0]}`);
        const name = label.replace(/^new /, "");
        const isAnswered = error !== undefined || /^is[A-Z]/.test(name) || name in ACCEPTS_ANY;
        if (title === "an unknown option" && !isAnswered)
          problems.push(`${label}({ wrongOption: 1 }) is accepted`);
      }
    expect(problems).toEqual([]);
  },
);

/** Every exported function, constructor and static method. */
async function callsOf(specifier: string): Promise<readonly (readonly [string, Call])[]> {
  const exported: Readonly<Record<string, unknown>> = await import(specifier);
  return Object.entries(exported).flatMap(([name, value]): (readonly [string, Call])[] => {
    if (typeof value !== "function" || name in NOT_PROBED || internalNames.includes(name))
      return [];
    // Constructors of errors are called by our own code only.
    if (/Error$/.test(name)) return /^is/.test(name) ? [[name, value as Call]] : [];
    if (!/^class\b/.test(Function.prototype.toString.call(value))) return [[name, value as Call]];
    const made = value as Exported;
    const own = Object.getOwnPropertyNames(made).filter(
      (key) => !["length", "name", "prototype"].includes(key),
    );
    return [
      [`new ${name}`, (...given) => new made(...given)],
      ...own.flatMap((key): (readonly [string, Call])[] => {
        const member: unknown = Reflect.get(made, key);
        return typeof member === "function"
          ? [[`${name}.${key}`, (...given) => Reflect.apply(member, made, given)]]
          : [];
      }),
    ];
  });
}

function argumentLists(): Readonly<Record<string, readonly unknown[]>> {
  const lists: Record<string, readonly unknown[]> = { "no arguments": [] };
  for (const [title, value] of Object.entries(WRONG)) {
    lists[title] = [value];
    lists[`{}, ${title}`] = [{}, value];
    lists[`a text, ${title}`] = ["wink-probe", value];
    lists[`a text, {}, ${title}`] = ["wink-probe", {}, value];
  }
  return lists;
}

/** The error of a call, or of the promise or iterator that it returns. Closes what it opened. */
async function failureOf(call: Call, given: readonly unknown[]): Promise<unknown> {
  try {
    const returned = await soon(call(...given));
    if (typeof returned !== "object" || returned === null) return undefined;
    if (Symbol.asyncIterator in returned || Symbol.iterator in returned) {
      const iterator = (returned as AsyncIterable<unknown>)[
        Symbol.asyncIterator in returned ? Symbol.asyncIterator : (Symbol.iterator as never)
      ]();
      await soon(iterator.next());
      // It may wait for a file; it closes its own file when it continues.
      iterator.return?.().catch?.(() => {});
    }
    if (Symbol.asyncDispose in returned)
      await soon((returned as AsyncDisposable)[Symbol.asyncDispose]());
    return undefined;
  } catch (error) {
    return error ?? new Error("undefined was thrown");
  }
}

/** The value of a promise, or `undefined` if it takes longer than a wrong argument can take. */
function soon(value: unknown): unknown {
  if (!(value instanceof Promise)) return value;
  value.catch(() => {});
  const late = new Promise((resolve) => setTimeout(resolve, MAX_CALL_MS).unref());
  return Promise.race([value, late]);
}

/** In tests of a user's own code an ordinary error is enough, but never the engine's. */
function isTyped(error: unknown, specifier: string): boolean {
  if (!(error instanceof Error)) return false;
  if (specifier.endsWith("/testing") && error.name === "Error") return true;
  if (error.name === "CliError") return true;
  return "code" in error && /^[A-Z_]+$/.test(String(error.code)) && "reason" in error;
}
