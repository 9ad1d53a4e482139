import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineAgent, InMemoryRequestQueue } from "@wink/adapters";
import { Run } from "@wink/adapters/run";
import { SqliteRequestQueue } from "@wink/adapters/sqlite";
import { InMemoryFilesystem, overlay } from "@wink/filesystem";
import { toNodeFs } from "@wink/filesystem/node-fs";
import { Budget, Deadline, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { sqliteStore } from "@wink/store/sqlite";
import { Workspace } from "@wink/workspace";
import { afterAll, expect, it } from "vitest";

const directory = mkdtempSync(path.join(tmpdir(), "wink-methods-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
mkdirSync(path.join(directory, "project"));
writeFileSync(path.join(directory, "project", "a.txt"), "a\n");

const memory = () => new InMemoryFilesystem({ files: { "a.txt": "a" } });
const store = () => sqliteStore(path.join(directory, "store.db"));
const place = (name: string) => path.join(directory, name);

/** Objects of the public API, and how to make one. */
const OBJECTS: Readonly<Record<string, () => unknown>> = {
  "a filesystem": memory,
  "an overlay": () => overlay(memory()),
  "a node:fs": () => toNodeFs(memory()),
  "a store": store,
  "a writer of a store": () => store().open(`head-${Math.random()}`),
  "a queue in memory": () => new InMemoryRequestQueue(),
  "a queue in SQLite": () => new SqliteRequestQueue(place("queue.db")),
  "a session": () => new Session(),
  "a budget": () => new Budget({ tokens: 100 }),
  "a deadline": () => Deadline.in("1m"),
  "a run": () =>
    Run.open(place("run"), {
      agent: defineAgent({
        prompt: () => new Prompt(new PromptTemplate({ ns: "x", key: "y", sections: [] })).bind({}),
      }),
      filesystem: memory(),
    }),
  "a workspace": () => Workspace.open(place("project"), { stateDirectory: place("state") }),
};

/** How long a call may run before it counts as accepted, such as a call that waits for a request. */
const MAX_CALL_MS = 50;

it.each(Object.entries(OBJECTS))(
  "the methods of %s answer a missing or wrong argument with a typed error",
  { timeout: 60_000 },
  async (_, make) => {
    const object = (await make()) as Readonly<Record<string, unknown>>;
    const problems: string[] = [];
    for (const name of methodsOf(object))
      for (const given of [[], [null], [42], [{}], ["text", null]]) {
        const error = await failureOf(object, name, given);
        if (error !== undefined && !isTyped(error))
          problems.push(`${name}(${JSON.stringify(given)}): ${String(error).split("\n")[0]}`);
      }
    await (object as Partial<AsyncDisposable>)[Symbol.asyncDispose]?.();
    expect(problems).toEqual([]);
  },
);

function methodsOf(object: object): readonly string[] {
  const names = new Set<string>();
  for (let at: object = object; at !== Object.prototype; at = Object.getPrototypeOf(at))
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === "function") names.add(name);
  for (const name of ["constructor", "close"]) names.delete(name);
  return [...names];
}

async function failureOf(
  object: Readonly<Record<string, unknown>>,
  name: string,
  given: readonly unknown[],
): Promise<unknown> {
  try {
    const method = object[name] as (...given: readonly unknown[]) => unknown;
    const returned = Reflect.apply(method, object, given);
    const late = new Promise((resolve) => setTimeout(resolve, MAX_CALL_MS).unref());
    if (returned instanceof Promise) {
      returned.catch(() => {});
      await Promise.race([returned, late]);
    } else if (
      typeof returned === "object" &&
      returned !== null &&
      Symbol.asyncIterator in returned
    )
      await Promise.race([
        (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]().next(),
        late,
      ]);
    return undefined;
  } catch (error) {
    return error ?? new Error("undefined was thrown");
  }
}

/** Errors of `node:fs` have a code and no reason. */
function isTyped(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^[A-Z_]+$/.test(String(error.code));
}
