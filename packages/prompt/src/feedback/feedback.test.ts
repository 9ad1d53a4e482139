import { defineEvent, defineState, Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { Deadline } from "../budget/deadline.js";
import type { FeedbackProvider } from "../protocol/feedback.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { EndToolCall } from "../tool/tool-calls.js";
import { collectFeedback } from "./collect-feedback.js";
import { GiveFeedback } from "./feedback-given.js";
import { deadlineFeedback, untouchedFeedback } from "./feedback-providers.js";

const Tick = defineEvent("tests.tick", z.object({}));
const Plan = defineState({
  name: "tests.plan",
  schema: z.number(),
  initial: 0,
  reducers: (on) => [on(Tick, (count) => count + 1)],
});

it("collectFeedback returns nothing until a trigger fires (PR-28)", async () => {
  const { collect, callTools } = setup([everyThirdCall()]);
  const heard: number[] = [];
  for (let call = 1; call <= 7; call++) {
    callTools(1);
    if ((await collect()).length > 0) heard.push(call);
  }
  expect(heard).toEqual([3, 6]);
});

it("collectFeedback records the feedback in the session (PR-28)", async () => {
  const { collect, callTools, session } = setup([everyThirdCall()]);
  callTools(3);
  expect(await collect()).toEqual([{ provider: "third", text: "Three more." }]);
  expect(await collect()).toEqual([]);
  expect(session.events.of(GiveFeedback).map(({ payload }) => payload)).toEqual([
    { prompt: "tests/feedback", provider: "third", text: "Three more.", toolCalls: 3, atMs: 0 },
  ]);
});

it("deadlineFeedback warns when the deadline is near, and not too often (PR-28)", async () => {
  const { collect, clock } = setup([deadlineFeedback({ within: "30s", every: "10s" })]);
  const deadline = Deadline.in("2m", { clock: () => clock.now });
  const heard: [number, string][] = [];
  for (; clock.now <= 120_000; clock.now += 5_000)
    for (const { text } of await collect(deadline)) heard.push([clock.now / 1_000, text]);
  expect(heard.map(([at]) => at)).toEqual([90, 100, 110, 120]);
  expect(heard[0]?.[1]).toBe(
    "About 30 seconds are left. Finish what matters most and give your answer.",
  );
  expect(await collect()).toEqual([]);
});

it("untouchedFeedback reminds of state that has not changed for a while (PR-28)", async () => {
  const text = "The plan is out of date.";
  const { collect, callTools, session } = setup([
    untouchedFeedback({ slice: Plan, afterToolCalls: 3, text }),
  ]);
  session.install(Plan);
  callTools(2);
  session.dispatch(Tick({}));
  callTools(2);
  expect(await collect()).toEqual([]);
  callTools(1);
  expect(await collect()).toEqual([{ provider: "untouched:tests.plan", text }]);
  callTools(2);
  expect(await collect()).toEqual([]);
  callTools(1);
  expect(await collect()).toEqual([{ provider: "untouched:tests.plan", text }]);
});

it("collectFeedback asks the other providers when one throws (PR-28)", async () => {
  const broken: FeedbackProvider = {
    name: "broken",
    trigger: () => true,
    provide: () => Promise.reject(new Error("broken")),
  };
  const { collect, callTools, errors } = setup([broken, everyThirdCall()]);
  callTools(3);
  expect(await collect()).toEqual([{ provider: "third", text: "Three more." }]);
  expect(errors).toEqual([["broken", new Error("broken")]]);
});

function everyThirdCall(): FeedbackProvider {
  return {
    name: "third",
    trigger: ({ toolCallsSince }) => toolCallsSince >= 3,
    provide: () => "Three more.",
  };
}

function setup(feedback: readonly FeedbackProvider[]) {
  const template = new PromptTemplate({ ns: "tests", key: "feedback", sections: [], feedback });
  const session = new Session();
  const rendered = new Prompt(template).render({ session });
  const clock = { now: 0 };
  const errors: [string, unknown][] = [];
  const collect = (deadline?: Deadline) =>
    collectFeedback({
      rendered,
      session,
      deadline,
      clock: () => clock.now,
      onError: (error, provider) => errors.push([provider, error]),
    });
  const callTools = (count: number) => {
    for (let call = 0; call < count; call++)
      session.dispatch(
        EndToolCall({
          toolCallId: `${call}`,
          prompt: "tests/feedback",
          tool: "a",
          status: "succeeded",
          success: true,
          durationMs: 0,
          sequence: session.sequence,
        }),
      );
  };
  return { collect, callTools, session, clock, errors };
}
