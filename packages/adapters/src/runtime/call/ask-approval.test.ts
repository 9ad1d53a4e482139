import { InMemoryFilesystem } from "@wink/filesystem";
import {
  type ApprovalAnswer,
  type ApprovalQuestion,
  approveCall,
  defineTool,
  MarkdownSection,
  type OnApproval,
  ok,
  Prompt,
  PromptTemplate,
  pendingApprovals,
  requireApproval,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ScriptedAdapter } from "../../scripted/scripted-adapter.js";

const deployed: string[] = [];
const deploy = defineTool({
  name: "deploy",
  description: "Deploy.",
  input: z.object({ version: z.string() }),
  access: "opaque",
  handler: ({ version }) => {
    deployed.push(version);
    return ok(undefined, `Deployed ${version}.`);
  },
});

const put = defineTool({
  name: "put",
  description: "Create a file.",
  input: z.object({ path: z.string() }),
  access: "write",
  handler: async ({ path }, { filesystem }) => {
    const { path: created } = await filesystem.write(path, "x\n");
    return ok(undefined, `Created ${created}.`);
  },
  files: { dryRun: true },
});

const move = defineTool({
  name: "move",
  description: "Move a file.",
  input: z.object({ source: z.string(), destination: z.string() }),
  access: "write",
  handler: async ({ source, destination }, { filesystem }) => {
    await filesystem.move(source, destination);
    return ok(undefined, "Moved.");
  },
  files: { dryRun: true },
});

/** An agent whose changes and deployments need approval. Returns what the model read about each call. */
async function run(calls: readonly { tool: string; input: object }[], onApproval?: OnApproval) {
  deployed.length = 0;
  const session = new Session();
  const filesystem = new InMemoryFilesystem({ files: { "src/a.ts": "one\ntwo\n", "b.md": "b\n" } });
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const tools = [deploy, put, move];
  const sections = [new Files({ key: "files", title: "Files", template: "Do.", tools })];
  const template = new PromptTemplate({
    ...{ ns: "tests", key: "approvals", sections },
    policies: [requireApproval(({ tool }) => tool.access !== "read")],
  });
  const prompt = new Prompt(template).bind({});
  const turns = calls.map((call) => ({ calls: [call] }));
  const adapter = new ScriptedAdapter({
    turns: [...turns, { text: "End." }],
    onError: () => {},
  });
  const evaluate = () => adapter.evaluate(prompt, { session, onApproval });
  await evaluate();
  const messages = adapter.requests.at(-1)?.messages ?? [];
  const texts = messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
  return { texts, session, filesystem, prompt };
}

const append = (path: string) => ({ tool: "put", input: { path } });
const ship = (version: string) => ({ tool: "deploy", input: { version } });

/** Gives the answers one after the other, and keeps the questions. */
function answering(...answers: readonly ApprovalAnswer[]) {
  const questions: ApprovalQuestion[] = [];
  const onApproval: OnApproval = async (question) => {
    const answer = answers[questions.length];
    questions.push(question);
    return answer ?? { allow: false, reason: "Not now." };
  };
  return { questions, onApproval };
}

describe("onApproval", () => {
  it("is asked about a call, and the call waits for the answer (MD-10)", async () => {
    const { questions, onApproval } = answering(
      { allow: true },
      { allow: false, reason: "Not 2." },
    );
    const { texts, session } = await run([ship("1"), ship("2"), ship("3")], onApproval);
    expect(texts).toEqual(["Deployed 1.", "Not 2.", "Not now."]);
    expect(deployed).toEqual(["1"]);
    expect(questions.map(({ tool, input }) => ({ tool, input }))).toEqual([
      { tool: "deploy", input: { version: "1" } },
      { tool: "deploy", input: { version: "2" } },
      { tool: "deploy", input: { version: "3" } },
    ]);
    expect(questions[0]).not.toHaveProperty("patch");
    expect(pendingApprovals(session)).toEqual([]);
  });

  it("sees the patch of a change to files before anything is changed (MD-11)", async () => {
    const seen: string[] = [];
    const onApproval: OnApproval = async ({ patch = "", paths }) => {
      seen.push(patch, ...(paths ?? []));
      return { allow: false };
    };
    const moving = { tool: "move", input: { source: "b.md", destination: "c.md" } };
    const { texts, filesystem } = await run([append("src/new.ts"), moving], onApproval);
    expect(seen[0]).toContain("+++ b/src/new.ts\n@@ -0,0 +1 @@\n+x\n");
    expect(seen[2]).toContain("rename from b.md\nrename to c.md\n");
    expect([seen[1], ...seen.slice(3)]).toEqual(["src/new.ts", "b.md", "c.md"]);
    expect(texts).toEqual(["A person denied this call.", "A person denied this call."]);
    expect(await filesystem.exists("src/new.ts")).toBe(false);
  });

  it("is not asked again for the same call, or for files that match the pattern (MD-12)", async () => {
    const pattern = { remember: { pattern: "src/**" } };
    const { questions, onApproval } = answering(
      ...([
        { allow: true, remember: true },
        { allow: true, ...pattern },
      ] as const),
    );
    const calls = [ship("1"), ship("1"), append("src/x.ts"), append("src/deep/y.ts")];
    const outside = [append("src/../z.md"), ship("1.")];
    const { texts } = await run([...calls, ...outside], onApproval);
    expect(deployed).toEqual(["1", "1"]);
    expect(texts.slice(2, 4).every((text) => text.startsWith("Created"))).toBe(true);
    // The path leaves src, and the version has one more byte.
    expect(texts.slice(4)).toEqual(["Not now.", "Not now."]);
    expect(questions.length).toBe(4);
  });

  it("cannot change the call that it allows: one byte more is another call (MD-13)", async () => {
    const onApproval: OnApproval = async (question) => {
      // JavaScript could try to change what is called after it was shown.
      Object.assign(question.input as object, { version: "1.0.1" });
      return { allow: true };
    };
    await run([ship("1.0.0")], onApproval);
    expect(deployed).toEqual(["1.0.0"]);
  });

  it.each([undefined, true, {}, { allow: "yes" }, { allow: true, remember: { pattern: "**" } }])(
    "denies the call if the answer is %j (MD-13)",
    async (answer) => {
      const { texts } = await run([ship("1")], (() => answer) as unknown as OnApproval);
      expect(texts).toHaveLength(1);
      expect(deployed).toEqual([]);
    },
  );
});

it("an approval of a parked call is refused if the call changed by one byte (MD-13)", async () => {
  const { texts, session, prompt } = await run([ship("1.0.0")], () => ({ park: true }));
  expect(texts).toEqual([
    "A person will decide about this call later. Go on with something else, or end.",
  ]);
  const [request] = pendingApprovals(session);
  expect(request).toMatchObject({ tool: "deploy", input: { version: "1.0.0" } });
  approveCall(session, request ?? { id: "" });
  const again = async (version: string) => {
    const adapter = new ScriptedAdapter({ turns: [{ calls: [ship(version)] }, { text: "End." }] });
    await adapter.evaluate(prompt, { session });
    return deployed.join();
  };
  expect(await again("1.0.1")).toBe("");
  expect(await again("1.0.0")).toBe("1.0.0");
  expect(await again("1.0.0")).toBe("1.0.0");
});
