import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { policyCall, recordToolCall } from "../adapter/record-tool-call.js";
import { allow, deny, type PolicyCall, type ToolPolicy } from "../protocol/policy.js";
import { fail, ok } from "../protocol/tool-result.js";
import { MarkdownSection } from "../section/markdown-section.js";
import { Prompt } from "../template/prompt.js";
import { PromptTemplate } from "../template/prompt-template.js";
import { createToolContext } from "../testing.js";
import { defineTool } from "../tool/define-tool.js";
import { approveCall, pendingApprovals, rejectCall } from "./approvals.js";
import { checkPolicies } from "./check-policies.js";
import { requireApproval } from "./require-approval.js";
import { sequential } from "./sequential.js";

it("checkPolicies checks the policies of the template, then of the sections, outermost first (PR-23)", async () => {
  const asked: string[] = [];
  const rule = (name: string): ToolPolicy => ({
    name,
    check: ({ tool }) => {
      asked.push(`${name} ${tool.name}`);
      return allow();
    },
  });
  const { call } = setup({ all: [rule("all")], outer: [rule("outer")], inner: [rule("inner")] });
  for (const name of ["free", "one", "two"])
    expect(await checkPolicies(call(name))).toEqual(allow());
  expect(asked).toEqual(["all free", "all one", "outer one", "all two", "outer two", "inner two"]);
});

it("checkPolicies stops at the first denial (PR-23)", async () => {
  const never: ToolPolicy = { name: "never", check: () => expect.unreachable() };
  const { call } = setup({ all: [{ name: "no", check: () => deny("Not today.") }, never] });
  expect(await checkPolicies(call("one"))).toEqual({ allowed: false, reason: "Not today." });
});

it("a policy that throws denies the call, and the model does not see its error (PR-23)", async () => {
  const errors: unknown[] = [];
  const broken = new Error("at /home/ada/secret");
  const rule: ToolPolicy = { name: "broken", check: () => Promise.reject(broken) };
  const { call } = setup({ all: [rule] });
  const onError = (error: unknown, name: string) => errors.push(error, name);
  expect(await checkPolicies(call("one"), { onError })).toEqual({
    allowed: false,
    reason: "The policy 'broken' could not be checked, so the call was not made.",
  });
  expect(errors).toEqual([broken, "broken"]);
});

it("sequential allows tools only in their order, and names the tool to call first (PR-26)", async () => {
  const { call, session } = setup({ all: [sequential(["one", "two", "three"])] });
  const denied = async (name: string) => {
    const decision = await checkPolicies(call(name));
    return decision.allowed ? undefined : decision.reason;
  };
  expect(await denied("free")).toBe(undefined);
  expect(await denied("two")).toBe("two comes later. Call one first, and then two.");
  expect(await denied("three")).toBe(
    "three comes later. Call one, then two first, and then three.",
  );
  await recordToolCall(call("one"), fail("No."));
  expect(await denied("two")).toBe("two comes later. Call one first, and then two.");
  const snapshot = session.snapshot();
  await recordToolCall(call("one"), ok(1, "Yes."));
  expect(await denied("two")).toBe(undefined);
  expect(await denied("one")).toBe(undefined);
  expect(await denied("three")).toBe("three comes later. Call two first, and then three.");
  session.restore(snapshot);
  expect(await denied("two")).toBe("two comes later. Call one first, and then two.");
});

it("sequential refuses tools that do not exist (PR-13, PR-26)", () => {
  expect(() => setup({ all: [sequential(["one", "tow"])] })).toThrow(
    "template 'tests/policies': policy 'sequential' names the unknown tool 'tow'. Did you mean 'two'?",
  );
  expect(() => setup({ inner: [sequential(["one", "two"])] })).toThrow(
    "section 'outer/inner': policy 'sequential' names the unknown tool 'one'. Tools: two, three.",
  );
});

it("sequential refuses a tool that is listed twice (PR-26)", () => {
  expect(() => sequential(["a", "b", "a"])).toThrow(
    "sequential: a tool is in the list twice. Remove one.",
  );
});

it("requireApproval holds a call until exactly that call is approved, once (PR-27)", async () => {
  const { call, session } = setup({ all: [requireApproval(({ tool }) => tool.name === "one")] });
  expect(await checkPolicies(call("two", { a: 1 }))).toEqual(allow());
  const decision = await checkPolicies(call("one", { a: 1, b: [1, 2] }));
  expect(decision).toEqual({
    allowed: false,
    reason: expect.stringContaining("This call of one needs a person's approval"),
    approval: {
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      tool: "one",
      input: { a: 1, b: [1, 2] },
    },
  });
  const [request] = pendingApprovals(session);
  expect(request).toEqual(!decision.allowed && decision.approval);
  approveCall(session, request ?? { id: "" });
  expect(pendingApprovals(session)).toEqual([]);

  for (const other of [{ a: 1, b: [2, 1] }, { a: 1, b: [1, 2], c: 0 }, { a: "1", b: [1, 2] }, {}])
    expect(await checkPolicies(call("one", other))).toMatchObject({ allowed: false });
  expect(await checkPolicies(call("one", { b: [1, 2], a: 1 }))).toEqual(allow());
  expect(await checkPolicies(call("one", { a: 1, b: [1, 2] }))).toMatchObject({ allowed: false });
});

it("an approval is not valid for another prompt or tool (PR-27)", async () => {
  const policies = { all: [requireApproval(() => true)] };
  const { call, session } = setup(policies);
  const other = setup(policies, { key: "other", session });
  await checkPolicies(call("one", {}));
  for (const request of pendingApprovals(session)) approveCall(session, request);
  expect(await checkPolicies(call("two", {}))).toMatchObject({ allowed: false });
  expect(await checkPolicies(other.call("one", {}))).toMatchObject({ allowed: false });
  expect(await checkPolicies(call("one", {}))).toEqual(allow());
});

it("one approval allows only one of two equal calls (PR-27)", async () => {
  const { call, session } = setup({ all: [requireApproval(async () => true)] });
  await checkPolicies(call("one"));
  for (const request of pendingApprovals(session)) approveCall(session, request);
  const decisions = await Promise.all([checkPolicies(call("one")), checkPolicies(call("one"))]);
  expect(decisions.map(({ allowed }) => allowed).sort()).toEqual([false, true]);
});

it("an approval is not used up if another policy denies the call (PR-27)", async () => {
  let open = false;
  const gate: ToolPolicy = { name: "gate", check: () => (open ? allow() : deny("Closed.")) };
  const { call, session } = setup({ all: [requireApproval(() => true)], outer: [gate] });
  await checkPolicies(call("one"));
  for (const request of pendingApprovals(session)) approveCall(session, request);
  expect(await checkPolicies(call("one"))).toEqual(deny("Closed."));
  open = true;
  expect(await checkPolicies(call("one"))).toEqual(allow());
});

it("restoring an older session state does not restore an approval (PR-27)", async () => {
  const { call, session } = setup({ all: [requireApproval(() => true)] });
  await checkPolicies(call("one"));
  for (const request of pendingApprovals(session)) approveCall(session, request);
  const snapshot = session.snapshot();
  expect(await checkPolicies(call("one"))).toEqual(allow());
  session.restore(snapshot);
  expect(await checkPolicies(call("one"))).toMatchObject({ allowed: false });
});

it("rejectCall removes the request (PR-27)", async () => {
  const { call, session } = setup({ all: [requireApproval(() => true)] });
  await checkPolicies(call("one"));
  await checkPolicies(call("one"));
  expect(pendingApprovals(session).length).toBe(1);
  for (const request of pendingApprovals(session)) rejectCall(session, request);
  expect(pendingApprovals(session)).toEqual([]);
  expect(await checkPolicies(call("one"))).toMatchObject({ allowed: false });
});

interface Policies {
  readonly all?: readonly ToolPolicy[];
  readonly outer?: readonly ToolPolicy[];
  readonly inner?: readonly ToolPolicy[];
}

function setup(
  { all = [], outer = [], inner = [] }: Policies,
  { key = "policies", session = new Session() } = {},
) {
  const template = new PromptTemplate({
    ns: "tests",
    key,
    policies: all,
    sections: [
      new MarkdownSection({ key: "free", title: "Free", template: "", tools: [tool("free")] }),
      new MarkdownSection({
        key: "outer",
        title: "Outer",
        template: "",
        tools: [tool("one")],
        policies: outer,
        children: [
          new MarkdownSection({
            key: "inner",
            title: "Inner",
            template: "",
            tools: [tool("two"), tool("three")],
            policies: inner,
          }),
        ],
      }),
    ],
  });
  const prompt = new Prompt(template);
  const filesystem = new InMemoryFilesystem();
  const call = (name: string, input: unknown = {}): PolicyCall => {
    const found = prompt.render({ session }).tool(name);
    if (found === undefined) throw new Error(`no ${name}`);
    return policyCall(found, input, createToolContext({ prompt, session, filesystem }));
  };
  return { session, call };
}

function tool(name: string) {
  return defineTool({
    name,
    description: "Does something.",
    input: z.looseObject({}),
    access: "write",
    handler: () => ok(undefined, "Done."),
  });
}
