import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, fail, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { noAdapter } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { Note, Notes } from "./agent.test.support.js";
import { runToolCall } from "./run-tool-call.js";

/**
 * The default keeps the suite short. `WINK_SCHEDULES=100000` runs all schedules that are
 * promised.
 */
const SCHEDULES = Number(
  process.env["WINK_SCHEDULES"] ?? (process.env["WINK_MORE_ROUNDS"] ? 2_000 : 300),
);
const AT_A_TIME = 250;
const ENDS = [
  "succeed",
  "succeed",
  "succeed",
  "fail",
  "throw",
  "hang",
  "abort",
  "abort-late",
] as const;

const input = z.object({
  mark: z.string(),
  files: z.array(z.string()),
  steps: z.number(),
  end: z.enum(ENDS),
});
type Plan = z.infer<typeof input> & { readonly tool: "append" | "look" | "note" };

/**
 * Inconsistent states that handlers saw, and how often an operation after the end of a call was
 * refused.
 */
const seen = { refusedLate: 0, halves: [] as unknown[] };

const append = defineTool({
  name: "append",
  description: "Adds a mark to files and to the session.",
  input,
  access: "write",
  timeoutMs: 1,
  async handler({ mark, files, steps, end }, { filesystem, session, signal }) {
    for (const file of files) {
      const { content } = await filesystem.read(file);
      await pause(steps);
      await filesystem.write(file, content + mark);
    }
    session.dispatch(Note({ text: mark }));
    await pause(steps);
    if (end === "succeed" || end === "abort-late") return ok(undefined, "Done.");
    if (end === "fail") return fail("As planned.");
    if (end === "throw") throw new Error("as planned");
    await new Promise((resolve) => {
      if (signal.aborted) resolve(undefined);
      signal.addEventListener("abort", resolve);
    });
    await pause(steps);
    // A handler that ignores its cancellation.
    for (let turn = 0; turn < 3; turn++) {
      await filesystem.write(files[0] ?? "0", `${mark}!`).then(
        () => {
          // Before the rollback it may still succeed. What matters is that none of its changes stay.
        },
        () => seen.refusedLate++,
      );
      try {
        session.dispatch(Note({ text: `${mark}!` }));
      } catch {
        seen.refusedLate++;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    return ok(undefined, "Done.");
  },
});

const look = defineTool({
  name: "look",
  description: "Looks twice, and at both sides.",
  input,
  access: "read",
  async handler({ files, steps }, { filesystem, session }) {
    const once = await Promise.all(
      files.map(async (file) => (await filesystem.read(file)).content),
    );
    const noted = textOf(session);
    await pause(steps);
    const twice = await Promise.all(
      files.map(async (file) => (await filesystem.read(file)).content),
    );
    if (String(once) !== String(twice)) seen.halves.push({ once, twice });
    for (const mark of once.join("")) if (!noted.includes(mark)) seen.halves.push({ mark, noted });
    return ok(undefined, "Looked.");
  },
});

const note = defineTool({
  name: "note",
  description: "Changes the session and no file.",
  input,
  access: "session",
  async handler({ mark, steps, end }, { session }) {
    await pause(steps);
    session.dispatch(Note({ text: mark }));
    await pause(steps);
    return end === "fail" || end === "throw" ? fail("As planned.") : ok(undefined, "Noted.");
  },
});

it(`${SCHEDULES} random schedules of calls equal their serial order, with no write after a rollback and no partial rollback (F163, F164, AD-7)`, async () => {
  for (let first = 0; first < SCHEDULES; first += AT_A_TIME) {
    const seeds = Array.from(
      { length: Math.min(AT_A_TIME, SCHEDULES - first) },
      (_, i) => first + i,
    );
    await Promise.all(seeds.map(runSchedule));
  }
  expect(seen.halves).toEqual([]);
  // The handlers that ignore their cancellation did try to write.
  expect(seen.refusedLate).toBeGreaterThan(0);
}, 1_200_000);

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem({ files: { 0: "", 1: "", 2: "" } });
}

async function runSchedule(seed: number): Promise<void> {
  const random = randomFrom(seed);
  const session = new Session({ slices: [Notes] });
  const files = new Files({ key: "files", title: "F", template: "", tools: [append, look, note] });
  const template = new PromptTemplate({ ns: "tests", key: "schedules", sections: [files] });
  const rendered = new Prompt(template).bind({}).render({ session });
  const plans = Array.from({ length: 3 + random(4) }, (_, index) => plan(index, random));
  const outcomes = await Promise.all(
    plans.map(async ({ tool, ...args }, index) => {
      const controller = new AbortController();
      const running = runToolCall({
        rendered,
        adapter: noAdapter,
        session,
        signal: controller.signal,
        onError: () => {},
        call: { toolCallId: `${index}`, toolName: tool, arguments: args },
      });
      if (args.end.startsWith("abort")) {
        await pause(random(60));
        controller.abort(new Error("as planned"));
      }
      return await running;
    }),
  );
  // Longer than any handler that ignores its cancellation.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));

  const succeeded = plans.filter((_, index) => outcomes[index]?.status === "succeeded");
  const notes = textOf(session);
  const writers = succeeded.filter(({ tool }) => tool === "append");
  // The session has exactly the marks of the successful calls, writers in order.
  expect([...notes].sort().join("")).toBe(marksOf(succeeded.filter(({ tool }) => tool !== "look")));
  const written = [...notes].filter((mark) => writers.some((writer) => writer.mark === mark));
  expect(written.join("")).toBe(marksOf(writers));
  // Every file has exactly the marks of its writers, in the same order.
  for (const path of ["0", "1", "2"]) {
    const expected = marksOf(writers.filter((writer) => writer.files.includes(path)));
    expect((await files.filesystem.read(path)).content).toBe(expected);
  }
}

function plan(index: number, random: (limit: number) => number): Plan {
  const tool = (["append", "append", "look", "note"] as const)[random(4)] ?? "append";
  const all = ["0", "1", "2"].filter(() => random(2) === 0);
  return {
    tool,
    mark: String.fromCharCode(97 + index),
    files: all.length > 0 ? all : ["0"],
    steps: random(6),
    end: ENDS[random(ENDS.length)] ?? "succeed",
  };
}

function marksOf(plans: readonly Plan[]): string {
  return plans.map(({ mark }) => mark).join("");
}

function textOf(session: Session): string {
  return session
    .slice(Notes)
    .all()
    .map(({ text }) => text)
    .join("");
}

async function pause(steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) await undefined;
}

/** Deterministic random numbers for a seed (mulberry32). */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
