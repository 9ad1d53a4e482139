import { type AnySection, MarkdownSection, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { z } from "zod";
import type { Run } from "./harness.js";

const SENTENCE = "Read the code before you change it, say what you saw, and keep to the task. ";
const TIMES = 500;

/** Rendering against the lower bound: joining its strings. */
export async function run({ compare }: Run): Promise<void> {
  const session = new Session();
  const prompt = new Prompt(new PromptTemplate({ ns: "bench", key: "wide", sections: sections() }));
  const { text } = prompt.render({ session });
  const pieces = text.split("\n\n");
  if (pieces.length !== 400 || pieces.join("\n\n") !== text) throw new Error("not 200 sections");

  await compare({
    name: `render 200 sections, three levels deep, ${text.length} characters`,
    ours: () => repeat(() => prompt.render({ session }).text),
    peers: {
      "joining the same strings": () => repeat(() => pieces.join("\n\n")),
      // A peer with a fixed time: it checks that rendering stays below 2 ms on this machine.
      "2 ms": () => spin(2),
    },
    targets: [
      { peer: "joining the same strings", atMost: 20 },
      { peer: "2 ms", atMost: 1 },
    ],
  });
}

/** 8 sections with 4 children each, and 5 in each of those. */
function sections(): readonly AnySection[] {
  return range(8).map((a) =>
    section(
      `a${a}`,
      range(4).map((b) =>
        section(
          `b${b}`,
          range(5).map((c) => section(`c${c}`, [])),
        ),
      ),
    ),
  );
}

function section(key: string, children: readonly AnySection[]): AnySection {
  return new MarkdownSection({
    key,
    title: `Section ${key}`,
    params: z.object({ name: z.string() }),
    defaults: { name: "Ada" },
    template: `${SENTENCE.repeat(3)}Work for \${name} alone.`,
    enabled: (params) => params.name !== "",
    children,
  });
}

function range(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function repeat(make: () => string): number {
  let total = 0;
  for (let time = 0; time < TIMES; time++) {
    const text = make();
    // Reading a character makes V8 flatten the string, as sending it would.
    total += text.charCodeAt(text.length >> 1);
  }
  if (total === 0) throw new Error("nothing was rendered");
  return TIMES;
}

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
