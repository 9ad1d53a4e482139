import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { authorization, httpEditor, program } from "./mcp-clients.test.support.js";
import type { HttpService } from "./serve-http.js";

const PATIENCE = { timeout: 60_000 };
const MODES = { legacy: "legacy", auto: "auto", pinned: { pin: "2026-07-28" } } as const;

async function connect(
  way: "stdio" | "http",
  mode: keyof typeof MODES,
  served?: HttpService,
): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: MODES[mode] } },
  );
  onTestFinished(() => client.close());
  if (way === "stdio") {
    const command = program("editor-server.test.program.ts");
    await client.connect(new StdioClientTransport({ ...command, stderr: "inherit" }), {
      timeout: 100_000,
    });
  } else {
    const service = served ?? (await httpEditor()).service;
    const requestInit = { headers: authorization(service) };
    await client.connect(new StreamableHTTPClientTransport(service.url, { requestInit }));
  }
  return client;
}

describe.each([
  ["stdio", "legacy"],
  ["stdio", "auto"],
  ["stdio", "pinned"],
  ["http", "legacy"],
  ["http", "auto"],
  ["http", "pinned"],
] as const)("over %s the second client generation in mode '%s'", (way, mode) => {
  it("uses tools, resources, prompts, progress and cancellation (AD-40, AD-144, AD-145)", async () => {
    const client = await connect(way, mode);
    const version = client.getNegotiatedProtocolVersion();
    expect(version).toBe(mode === "legacy" ? "2025-11-25" : "2026-07-28");

    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...[
        "add_line",
        "break_file",
        "look",
        "hang",
        "draw",
        "run_program",
        "open_sections",
        "read_section",
      ],
    ]);
    const added = await client.callTool({ name: "add_line", arguments: { text: "one" } });
    expect(added).toMatchObject({ structuredContent: { lines: 1 } });
    const broken = await client.callTool({ name: "break_file", arguments: {} });
    expect(broken).toMatchObject({ isError: true });
    expect(JSON.stringify(broken)).toContain("undone: changes to 'a.txt'");

    const drawn = await client.callTool({ name: "draw", arguments: {} });
    expect(drawn.content).toContainEqual(expect.objectContaining({ mimeType: "image/png" }));
    const ran = await client.callTool({ name: "run_program", arguments: {} });
    expect(JSON.stringify(ran.content)).toContain("Ran.");

    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "wink://diff",
      "wink://snapshots",
      "wink://files/a.txt",
    ]);
    const file = await client.readResource({ uri: "wink://files/a.txt" });
    expect(file.contents).toMatchObject([{ text: "one\n", mimeType: "text/plain" }]);
    const diff = await client.readResource({ uri: "wink://diff" });
    expect(JSON.stringify(diff.contents)).toContain("+one");
    const snapshots = await client.readResource({ uri: "wink://snapshots" });
    expect(snapshots.contents).toHaveLength(1);
    const missing = client.readResource({ uri: "wink://files/no" });
    await expect(missing).rejects.toThrow("wink://files/no");
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: "wink://files/{+path}" }]);

    const { prompts } = await client.listPrompts();
    const { messages } = await client.getPrompt({ name: prompts[0]?.name ?? "" });
    expect(JSON.stringify(messages)).toContain("There is one file");

    const controller = new AbortController();
    const heard: (string | undefined)[] = [];
    const hanging = client.callTool(
      { name: "hang", arguments: {} },
      {
        signal: controller.signal,
        timeout: 100_000,
        onprogress: ({ message }) => heard.push(message),
      },
    );
    const ended = expect(hanging).rejects.toThrow();
    await vi.waitFor(() => expect(heard).toContain("hang: test.line"), PATIENCE);
    controller.abort(new Error("enough"));
    await ended;
    await vi.waitFor(async () => {
      const { structuredContent } = await client.callTool({ name: "look", arguments: {} });
      expect(structuredContent).toEqual({ content: "one\n", events: ["one"] });
    }, PATIENCE);

    const read = { name: "read_section", arguments: { section_key: "extra" } };
    expect(JSON.stringify(await client.callTool(read))).toContain("More of it.");
    await client.callTool({ name: "open_sections", arguments: { section_keys: ["extra"] } });
    const grown = (await client.listTools()).tools.map(({ name }) => name);
    expect(grown).toContain("extra_tool");
    const extra = await client.callTool({ name: "extra_tool", arguments: {} });
    expect(JSON.stringify(extra.content)).toContain("Extra.");
  });
});

it.each(["legacy", "auto", "pinned"] as const)(
  "over HTTP a client in mode '%s' reconnects, and finds its files and sections (AD-144)",
  async (mode) => {
    const { service } = await httpEditor();
    const first = await connect("http", mode, service);
    await first.callTool({ name: "add_line", arguments: { text: "one" } });
    await first.callTool({ name: "open_sections", arguments: { section_keys: ["extra"] } });
    await first.close();
    const second = await connect("http", mode, service);
    const { structuredContent } = await second.callTool({ name: "look", arguments: {} });
    expect(structuredContent).toEqual({ content: "one\n", events: ["one"] });
    expect(await second.listTools()).toMatchObject({
      tools: expect.arrayContaining([expect.objectContaining({ name: "extra_tool" })]),
    });
  },
);
