import { type CompletionMoment, fail, ok } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { AddStep, Plan, SetupPlan, UpdateStep } from "../planning/plan.js";
import { commandSucceeds, planIsDone } from "./completion-checks.js";

const { signal } = new AbortController();
const moment = (session: Session, callTool: CompletionMoment["callTool"]): CompletionMoment => ({
  ...{ session, filesystem: undefined, text: "Done.", signal, callTool },
});
const noTool = () => Promise.resolve(fail("No tool."));

it("planIsDone names the open steps of the plan (MD-41)", async () => {
  const session = new Session({ slices: [Plan] });
  const check = () => planIsDone.check(moment(session, noTool));
  expect(await check()).toBe(undefined);
  session.dispatch(SetupPlan({ objective: "o", steps: [{ title: "One", details: "" }] }));
  session.dispatch(AddStep({ title: "Two", details: "" }));
  session.dispatch(UpdateStep({ stepId: "1", status: "completed" }));
  expect(await check()).toBe(
    "These steps of the plan are open. Do them, or mark them as skipped:\n- 2: Two",
  );
  session.dispatch(UpdateStep({ stepId: "2", status: "skipped" }));
  expect(await check()).toBe(undefined);
});

it("commandSucceeds runs the command and shows its output if it fails (MD-41)", async () => {
  const calls: unknown[] = [];
  const answer = (exitCode: number) => async (name: string, input: unknown) => {
    calls.push([name, input]);
    return ok({ exitCode, stdout: "1 failed\n", stderr: "" }, "Ran.");
  };
  const session = new Session();
  const check = commandSucceeds("npm test");
  expect(await check.check(moment(session, answer(0)))).toBe(undefined);
  expect(await check.check(moment(session, answer(1)))).toBe(
    "The command `npm test` ended with exit code 1:\n1 failed\n",
  );
  expect(await commandSucceeds("npm test").check(moment(session, noTool))).toBe("No tool.");
  expect(calls[0]).toEqual(["shell_execute", { command: "npm test" }]);
});

it("commandSucceeds runs a script with the tool bash, and shows what a failed call says (MD-41)", async () => {
  const calls: unknown[] = [];
  const session = new Session();
  const run = async (name: string, input: unknown) => {
    calls.push([name, input]);
    return fail("Exit code 1.", { hint: "1 failed" });
  };
  const bash = commandSucceeds("npm test", "bash");
  expect(await bash.check(moment(session, run))).toBe("Exit code 1.\n1 failed");
  await commandSucceeds("npm test", "in_app_bash").check(moment(session, run));
  expect(calls).toEqual([
    ["bash", { script: "npm test" }],
    ["in_app_bash", { script: "npm test" }],
  ]);
});
