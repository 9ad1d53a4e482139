import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { InMemoryFilesystem } from "@wink/filesystem";
import {
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  requireApproval,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createMcpServer, type McpServerOptions } from "./create-mcp-server.js";
import { authorization } from "./mcp-clients.test.support.js";
import { serveHttp } from "./serve-http.js";

const MODES = { earlier: "legacy", current: { pin: "2026-07-28" } } as const;

class Files extends MarkdownSection<"files"> {
  readonly filesystem = new InMemoryFilesystem();
}

const write = defineTool({
  name: "write",
  description: "Write a file.",
  input: z.object({ path: z.string(), text: z.string() }),
  access: "write",
  files: { dryRun: true },
  async handler({ path, text }, { filesystem }) {
    await filesystem.write(path, text);
    return ok(undefined, `Wrote ${path}.`);
  },
});

type Elicited = { readonly action: "accept" | "decline" | "cancel"; readonly content?: object };

/** A client of a server whose tool needs an approval. Without `answer`, the client cannot ask. */
async function connect(
  mode: keyof typeof MODES,
  answer: ((message: string) => Elicited) | undefined,
  options: McpServerOptions = {},
) {
  const files = new Files({ key: "files", title: "Files", template: "Files.", tools: [write] });
  const policies = [requireApproval(({ tool }) => tool.name === "write")];
  const template = new PromptTemplate({ ns: "t", key: "t", policies, sections: [files] });
  const session = new Session();
  const prompt = new Prompt(template).bind({});
  const service = await serveHttp(() => createMcpServer(prompt, session, options), { graceMs: 0 });
  onTestFinished(() => service.close());
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode: MODES[mode] },
      capabilities: answer === undefined ? {} : { elicitation: {} },
    },
  );
  onTestFinished(() => client.close());
  const asked: string[] = [];
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", ({ params: { message } }) => {
      asked.push(message);
      // The answers of the tests fit the schema.
      return answer(message) as never;
    });
  const requestInit = { headers: authorization(service) };
  await client.connect(new StreamableHTTPClientTransport(service.url, { requestInit }));
  const call = async (path: string) =>
    JSON.stringify(
      (await client.callTool({ name: "write", arguments: { path, text: "x\n" } })).content,
    );
  const paths = async () => (await files.filesystem.glob("*")).map((file) => file.path);
  return { call, paths, asked };
}

describe.each(["earlier", "current"] as const)("a client of the %s protocol", (mode) => {
  it("is asked about a call with its patch, and allows or denies exactly that call (MD-19)", async () => {
    const { call, paths, asked } = await connect(mode, (message) =>
      message.includes("b/a.txt")
        ? { action: "accept", content: { decision: "allow" } }
        : { action: "accept", content: { decision: "deny", reason: "Not there." } },
    );
    expect(await call("a.txt")).toContain("Wrote a.txt.");
    expect(asked[0]).toMatch(/^Allow this call of write\?\n\n[\s\S]*\+\+\+ b\/a\.txt[\s\S]*\+x/);
    expect(await call("b.txt")).toContain("A person denied this call: Not there.");
    expect(await paths()).toEqual(["a.txt"]);
    expect(asked).toHaveLength(2);
  });

  it.each(["decline", "cancel"] as const)("denies the call by %s (MD-19)", async (action) => {
    const { call, paths } = await connect(mode, () => ({ action }));
    expect(await call("a.txt")).toContain("A person denied this call.");
    expect(await paths()).toEqual([]);
  });

  it("that cannot ask gets a refusal with the reason (MD-19)", async () => {
    const { call, paths } = await connect(mode, undefined);
    expect(await call("a.txt")).toContain("this MCP client cannot ask");
    expect(await paths()).toEqual([]);
  });

  it("is not asked if the server has its own onApproval (MD-19)", async () => {
    const { call, asked } = await connect(mode, () => ({ action: "cancel" }), {
      onApproval: () => ({ allow: true }),
    });
    expect(await call("a.txt")).toContain("Wrote a.txt.");
    expect(asked).toEqual([]);
  });
});
