import { Writable } from "node:stream";
import { Session } from "@wink/session";
import picocolors from "picocolors";
import { expect, it } from "vitest";
import type { StatusLine } from "../terminal/status-line.js";
import { LiveView } from "./live-view.js";

const usage = {
  ...{ inputTokens: 1_000, outputTokens: 200, cachedInputTokens: 0 },
  ...{ costUsd: 0.0123, toolCalls: 0, turns: 1 },
};

function setup(streams: boolean) {
  let output = "";
  const shown: string[] = [];
  const status = { show: (...parts: string[]) => shown.push(parts.join(" | ")), clear() {} };
  const view = new LiveView({
    output: new Writable({
      write(chunk, _, done) {
        output += chunk;
        done();
      },
    }),
    ...{ colors: picocolors.createColors(false), columns: 80, session: new Session(), streams },
    // The view calls only these two methods.
    status: status as unknown as StatusLine,
  });
  return { view, shown, output: () => output };
}

it("LiveView streams the model's text line by line, without control characters (MD-17)", () => {
  const { view, output } = setup(true);
  view.onEvent({ type: "turn-started", turn: 0 });
  view.onEvent({ type: "text-delta", turn: 0, text: "First \u001b[2Jline\nSec" });
  expect(output()).toBe("1  First \uFFFD[2Jline\n");
  view.onEvent({ type: "text-delta", turn: 0, text: "ond" });
  view.onEvent({ type: "turn-finished", turn: 0, usage });
  expect(output()).toBe("1  First \uFFFD[2Jline\n   Second\n");
});

it("LiveView wraps the model's text, and counts two columns for a wide character (MD-17, CL-7)", () => {
  const { view, output } = setup(true);
  view.onEvent({ type: "turn-started", turn: 0 });
  view.onEvent({
    type: "text-delta",
    turn: 0,
    text: `${"word ".repeat(20)}\n    code\n${"字".repeat(50)}`,
  });
  view.onEvent({ type: "turn-finished", turn: 0, usage });
  expect(output().split("\n")).toEqual([
    `1  ${"word ".repeat(15).trim()}`,
    `   ${"word ".repeat(5).trim()}`,
    "       code",
    `   ${"字".repeat(38)}`,
    `   ${"字".repeat(12)}`,
    "",
  ]);
});

it("LiveView shows tokens and cost so far while the model answers and thinks (MD-17)", () => {
  const { view, shown, output } = setup(false);
  view.onEvent({ type: "turn-finished", turn: 0, usage });
  view.onEvent({ type: "turn-started", turn: 1 });
  view.onEvent({ type: "thought-delta", turn: 1, text: "Let me see. " });
  view.onEvent({ type: "text-delta", turn: 1, text: "Here is it." });
  const spent = "1,200 tokens, $0.0123";
  expect(shown.slice(1)).toEqual([
    `the model thinks | ${spent}  about 3 tokens  Let me see. `,
    `the model | ${spent}  about 6 tokens  Here is it.`,
  ]);
  expect(output()).toBe("");
});
