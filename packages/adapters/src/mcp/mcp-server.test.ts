import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it, vi } from "vitest";
import { createMcpServer } from "./create-mcp-server.js";
import { editor, PIXEL } from "./editor.test.support.js";
import {
  call,
  connect,
  httpEditor,
  inMemory,
  overHttp,
  overStdio,
  program,
  textOf,
} from "./mcp-clients.test.support.js";

const PATIENCE = { timeout: 60_000 };

const open = {
  stdio: overStdio,
  http: async () => overHttp((await httpEditor()).service),
};

describe.each(["stdio", "http"] as const)("over %s the official client", (way) => {
  it("reads the prompt as instructions, and the tools with their schemas and annotations (AD-40)", async () => {
    const client = await open[way]();
    const { tools } = await client.listTools();
    const shown = Object.fromEntries(tools.map((tool) => [tool.name, tool]));
    expect(client.getInstructions()).toContain("There is one file, `a.txt`.");
    expect(shown["add_line"]).toEqual({
      name: "add_line",
      description: 'Put a line at the end of a.txt.\n\nExamples:\n- {"text":"hello"}',
      inputSchema: {
        type: "object",
        properties: { text: { type: "string" } },
        required: ["text"],
        additionalProperties: false,
      },
      outputSchema: expect.objectContaining({
        type: "object",
        properties: { lines: { type: "number" } },
      }),
      annotations: annotations({ readOnlyHint: false }),
    });
    expect(shown["look"]?.annotations).toEqual(annotations({ readOnlyHint: true }));
    expect(shown["run_program"]?.annotations).toEqual(
      annotations({ readOnlyHint: false, openWorldHint: true }),
    );
    expect(shown["draw"]?.outputSchema).toBeUndefined();
  });

  it("edits, gets structured content, and reads what a failed call rolled back (AD-41)", async () => {
    const client = await open[way]();
    await client.listTools(); // from now on the client validates answers
    expect(await call(client, "add_line", { text: "one" })).toEqual({
      content: [{ type: "text", text: 'There are 1 lines.\n\n{"lines":1}' }],
      structuredContent: { lines: 1 },
    });
    const broken = await call(client, "break_file");
    expect(broken.isError).toBe(true);
    expect(textOf(broken)).toContain("It did not work.");
    expect(textOf(broken)).toMatch(/undone: changes to 'a\.txt'/);
    const { structuredContent } = await call(client, "look");
    expect(structuredContent).toEqual({ content: "one\n", events: ["one"] });
  });

  it("gets a hint how to fix an invalid call, and gets images (AD-41, F153, F154)", async () => {
    const client = await open[way]();
    for (const name of ["no_such_tool", "__proto__", "LOOK"]) {
      const unknown = await call(client, name);
      expect(unknown.isError).toBe(true);
      expect(textOf(unknown)).toContain("The tools are: add_line");
    }
    const unfit = await call(client, "add_line", { txt: 1 });
    expect(unfit.isError).toBe(true);
    expect(textOf(unfit)).toContain("Its fields are: text.");
    expect(await call(client, "draw")).toEqual({
      content: [
        { type: "text", text: "A pixel." },
        { type: "image", data: PIXEL, mimeType: "image/png" },
      ],
    });
    expect(await call(client, "run_program")).toEqual({
      content: [{ type: "text", text: "Ran.\n\n[1,2]" }],
    });
  });

  it("gets progress notifications, and a call that it cancels is rolled back (AD-42)", async () => {
    const client = await open[way]();
    const controller = new AbortController();
    const heard: { readonly progress: number; readonly message?: string | undefined }[] = [];
    const hanging = client.callTool({ name: "hang", arguments: {} }, undefined, {
      signal: controller.signal,
      timeout: 100_000,
      onprogress: (step) => heard.push(step),
    });
    const ended = expect(hanging).rejects.toThrow("enough");
    await vi.waitFor(
      () => expect(heard.map(({ message }) => message)).toContain("hang: test.line"),
      PATIENCE,
    );
    controller.abort(new Error("enough"));
    await ended;
    const { structuredContent } = await call(client, "look");
    expect(structuredContent).toEqual({ content: "", events: [] });
    expect(heard[0]).toEqual({ progress: 0, message: "hang: called" });
    expect(heard.map(({ progress }) => progress)).toEqual(heard.map((_, index) => index));
  });

  it("reads every resource, and gets every prompt (AD-144, AD-145)", async () => {
    const client = await open[way]();
    await call(client, "add_line", { text: "one" });
    const { resources } = await client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(["wink://diff", "wink://snapshots", "wink://files/a.txt"]);
    const texts = await Promise.all(uris.map((uri) => client.readResource({ uri })));
    const [diff, , file] = texts.map(({ contents }) => JSON.stringify(contents));
    expect(diff).toContain("+one");
    expect(file).toContain('"text":"one\\n"');
    const { prompts } = await client.listPrompts();
    expect(prompts).toHaveLength(1);
    const { messages } = await client.getPrompt({ name: prompts[0]?.name ?? "" });
    expect(JSON.stringify(messages)).toContain("There is one file");
  });

  it("is notified when a call changes the tools (AD-43)", async () => {
    const client = await open[way]();
    const notified = vi.fn();
    client.setNotificationHandler(ToolListChangedNotificationSchema, notified);
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).not.toContain("extra_tool");
    await call(client, "look");
    expect(notified).not.toHaveBeenCalled();
    await call(client, "open_sections", { section_keys: ["extra"] });
    await vi.waitFor(() => expect(notified).toHaveBeenCalledOnce(), PATIENCE);
    expect(await names()).toContain("extra_tool");
    expect(textOf(await call(client, "extra_tool"))).toBe("Extra.");
  });
});

it("a client gets an error when its server is killed during a call, and a new server starts fresh (AD-41)", async () => {
  const { command, args } = program("editor-server.test.program.ts");
  const transport = new StdioClientTransport({ command, args, stderr: "inherit" });
  const client = await connect(transport);
  const heard = vi.fn();
  const options = { timeout: 100_000, onprogress: heard };
  const hanging = client.callTool({ name: "hang", arguments: {} }, undefined, options);
  const lost = expect(hanging).rejects.toThrow("Connection closed");
  await vi.waitFor(() => expect(heard).toHaveBeenCalled(), PATIENCE);
  process.kill(Number(transport.pid), "SIGKILL");
  await lost;
  await expect(call(client, "look")).rejects.toThrow("Not connected");
  expect((await call(await overStdio(), "look")).structuredContent).toEqual({
    ...{ content: "", events: [] },
  });
});

describe("several servers of one session", () => {
  it("run calls one after the other, even if some fail (AD-44, F163)", async () => {
    const { service, content, events } = await httpEditor();
    const clients = await Promise.all([1, 2, 3].map(() => overHttp(service)));
    const answers = await Promise.all(
      clients.flatMap((client, who) =>
        [1, 2, 3, 4].flatMap((round) => [
          call(client, "add_line", { text: `${who}-${round}` }),
          call(client, "break_file"),
          call(client, "look"),
        ]),
      ),
    );
    const counts = answers.flatMap(({ structuredContent }) => structuredContent?.["lines"] ?? []);
    expect(counts.sort((a, b) => Number(a) - Number(b))).toEqual(counts.map((_, n) => n + 1));
    expect(answers.filter(({ isError }) => isError)).toHaveLength(12);
    expect((await content()).trim().split("\n")).toEqual(events());
    expect(events()).toHaveLength(12);
  });

  it("notify their clients when a call of another server changes the tools (AD-43)", async () => {
    const { prompt, session } = editor();
    const clients = await Promise.all(
      [1, 2].map(async () => inMemory(await createMcpServer(prompt, session))),
    );
    const notified = vi.fn();
    clients[1]?.setNotificationHandler(ToolListChangedNotificationSchema, notified);
    if (clients[0]) await call(clients[0], "open_sections", { section_keys: ["extra"] });
    await vi.waitFor(() => expect(notified).toHaveBeenCalledOnce(), PATIENCE);
  });

  it("continue when a client cannot be notified (AD-43)", async () => {
    const { prompt, session } = editor();
    const errors: string[] = [];
    const onError = (error: unknown) => errors.push(String(error));
    const deaf = await createMcpServer(prompt, session, { onError });
    const [transport] = InMemoryTransport.createLinkedPair();
    transport.send = () => Promise.reject(new Error("cannot be notified"));
    await deaf.connect(transport);
    const client = await inMemory(await createMcpServer(prompt, session));
    await call(client, "open_sections", { section_keys: ["extra"] });
    await vi.waitFor(() => expect(errors).toEqual(["Error: cannot be notified"]), PATIENCE);
  });

  it("send progress at intervals to the clients that asked for it (AD-42)", async () => {
    const { prompt, session } = editor();
    const client = await inMemory(
      await createMcpServer(prompt, session, { progressIntervalMs: 1 }),
    );
    const heard: unknown[] = [];
    const controller = new AbortController();
    const hanging = client.callTool({ name: "hang", arguments: {} }, undefined, {
      ...{ signal: controller.signal, timeout: 100_000 },
      onprogress: ({ message }) => heard.push(message),
    });
    const ended = expect(hanging).rejects.toThrow();
    await vi.waitFor(() => expect(heard.at(-1)).toBe("hang: running"), PATIENCE);
    controller.abort();
    await ended;
  });

  it("roll back running calls when a connection ends, and close after that (AD-42)", async () => {
    const { prompt, session, content, events } = editor();
    const server = await createMcpServer(prompt, session);
    const client = await inMemory(server);
    const lost = expect(call(client, "hang")).rejects.toThrow("Connection closed");
    await vi.waitFor(() => expect(events()).toEqual(["half"]), PATIENCE);
    await server.close();
    expect(await content()).toBe("");
    expect(events()).toEqual([]);
    await lost;
  });
});

function annotations({ readOnlyHint = false, openWorldHint = false }) {
  const destructiveHint = !readOnlyHint;
  return { readOnlyHint, destructiveHint, idempotentHint: readOnlyHint, openWorldHint };
}
