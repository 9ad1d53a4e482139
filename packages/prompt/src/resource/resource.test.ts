import { expect, it } from "vitest";
import { openToolCall, resourcesOf } from "../adapter/tool-call.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { createToolContext } from "../testing.js";
import { defineResource, type Resource } from "./resource.js";

it("a resource is created once, on first use (PR-33)", async () => {
  const { log, resource, promptOf } = setup();
  const Db = resource("db");
  await using prompt = promptOf(Db);
  expect(log).toEqual([]);
  const [one, other] = await Promise.all([prompt.resources.get(Db), prompt.resources.get(Db)]);
  expect(one).toBe(other);
  expect(one).toEqual({ name: "db" });
  expect(log).toEqual(["make db"]);
});

it("resources close in reverse order, dependencies last, also after errors (PR-33)", async () => {
  const { log, resource, promptOf } = setup();
  const Pool = resource("pool");
  const Db = resource("db", { needs: [Pool] });
  const Cache = resource("cache", { failsToClose: true });
  const prompt = promptOf(Pool, Db, Cache);
  await prompt.resources.get(Db);
  await prompt.resources.get(Cache);
  await expect(prompt.close()).rejects.toThrow("cache cannot close");
  expect(log).toEqual([
    "make db",
    "make pool",
    "make cache",
    "close cache",
    "close db",
    "close pool",
  ]);
});

it("a resource whose creation failed is created again (PR-33)", async () => {
  const { promptOf } = setup();
  let tries = 0;
  const Flaky = defineResource({
    name: "flaky",
    create: async () => {
      tries++;
      if (tries === 1) throw new Error("not yet");
      return tries;
    },
  });
  await using prompt = promptOf(Flaky);
  await expect(prompt.resources.get(Flaky)).rejects.toThrow("not yet");
  expect(await prompt.resources.get(Flaky)).toBe(2);
});

it("a cycle of resources is refused with its path (PR-33)", async () => {
  const A: Resource<unknown> = defineResource({ name: "a", create: ({ get }) => get(B) });
  const B: Resource<unknown> = defineResource({ name: "b", create: ({ get }) => get(A) });
  await using prompt = setup().promptOf(A, B);
  await expect(prompt.resources.get(A)).rejects.toThrow("resource 'a': a needs b needs a.");
});

it("an unknown resource is refused with the names of the known ones (PR-33)", async () => {
  const { resource, promptOf } = setup();
  await using prompt = promptOf(resource("db"), resource("cache"));
  await expect(prompt.resources.get(resource("other"))).rejects.toThrow(
    "resource 'other': the template does not have it. Add it to resources, which are: db, cache.",
  );
});

it("tool-call resources are created for each call and closed with it (PR-33)", async () => {
  const { log, resource, promptOf } = setup();
  const Db = resource("db");
  const Lock = resource("lock", { scope: "tool-call", needs: [Db] });
  const prompt = promptOf(Db, Lock);
  const { adapter, session, signal } = createToolContext();
  const rendered = prompt.render({ session });
  const open = () =>
    openToolCall({ rendered, tool: {} as never, adapter, session, signal, toolCallId: "1" });
  {
    await using one = open();
    await using other = open();
    const [first, again] = [resourcesOf(one.context), resourcesOf(one.context)];
    expect(await first.get(Lock)).toBe(await again.get(Lock));
    expect(await resourcesOf(other.context).get(Lock)).not.toBe(await first.get(Lock));
  }
  expect(log).toEqual(["make lock", "make db", "make lock", "close lock", "close lock"]);
  await prompt.close();
  expect(log.at(-1)).toBe("close db");
});

it("a handler that outlives its call gets no resources (PR-33)", async () => {
  const { resource, promptOf } = setup();
  const Lock = resource("lock", { scope: "tool-call" });
  const prompt = promptOf(Lock);
  const { adapter, session, signal } = createToolContext();
  const rendered = prompt.render({ session });
  const call = openToolCall({
    rendered,
    tool: {} as never,
    adapter,
    session,
    signal,
    toolCallId: "1",
  });
  await call.close();
  await expect(resourcesOf(call.context).get(Lock)).rejects.toThrow(
    "resource 'lock': it is closed.",
  );
  await expect(prompt.resources.get(Lock)).rejects.toThrow(
    "resource 'lock': its scope is 'tool-call', and no call is running. Use resourcesOf(context).",
  );
});

it.each(["asyncDispose", "dispose", "close"])(
  "a resource closes its value with the value's own %s (PR-33)",
  async (name) => {
    const closed: unknown[] = [];
    const key = { asyncDispose: Symbol.asyncDispose, dispose: Symbol.dispose, close: "close" }[
      name
    ];
    const value = {
      [key ?? ""]() {
        closed.push(this);
      },
    };
    const Thing = defineResource({ name: "thing", create: () => value });
    const prompt = setup().promptOf(Thing);
    await prompt.resources.get(Thing);
    await prompt.close();
    expect(closed).toEqual([value]);
  },
);

interface Behaviour {
  readonly scope?: "prompt" | "tool-call";
  readonly needs?: readonly Resource[];
  readonly failsToClose?: boolean;
}

function setup() {
  const log: string[] = [];
  const resource = (name: string, behaviour: Behaviour = {}) =>
    defineResource({
      name,
      scope: behaviour.scope ?? "prompt",
      async create(others) {
        log.push(`make ${name}`);
        for (const needed of behaviour.needs ?? []) await others.get(needed);
        return { name };
      },
      async close() {
        log.push(`close ${name}`);
        if (behaviour.failsToClose) throw new Error(`${name} cannot close`);
      },
    });
  const promptOf = (...resources: readonly Resource[]) =>
    new Prompt(new PromptTemplate({ ns: "tests", key: "resources", sections: [], resources }));
  return { log, resource, promptOf };
}
