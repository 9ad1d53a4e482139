import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMcpServer } from "./create-mcp-server.js";
import { editor } from "./editor.test.support.js";
import { program } from "./mcp-clients.test.support.js";
import { serveStdio } from "./serve-stdio.js";

const PATIENCE = { timeout: 60_000 };
const HELLO = {
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1.0.0" },
  },
};

describe("serveStdio", () => {
  it("resolves when the client closes its side, so that the program can end (AD-46)", async () => {
    const { command, args } = program("editor-server.test.program.ts");
    const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = once(child, "exit");
    child.stdin.write(message(1, HELLO));
    await once(child.stdout, "data");
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it("rolls back the running call when the client disconnects or the signal aborts (AD-46)", async () => {
    for (const goes of ["client", "signal"] as const) {
      const { prompt, session, content, events } = editor();
      const [input, output] = [new PassThrough(), new PassThrough()];
      const stop = new AbortController();
      const service = serveStdio(() => createMcpServer(prompt, session), {
        ...{ input, output, signal: stop.signal },
      });
      input.write(message(1, HELLO));
      input.write(message(2, { method: "tools/call", params: { name: "hang" } }));
      await vi.waitFor(() => expect(events()).toEqual(["half"]), PATIENCE);
      if (goes === "client") input.end();
      else stop.abort();
      await service;
      expect([await content(), events()]).toEqual(["", []]);
    }
  });

  it("continues after lines that are not messages (AD-46)", async () => {
    const { prompt, session } = editor();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const errors: unknown[] = [];
    const onError = (error: unknown) => errors.push(error);
    const connect = () => createMcpServer(prompt, session, { onError });
    const service = serveStdio(connect, { input, output, onError });
    input.write('not json\n{"jsonrpc":"2.0"}\n[]\n\u0000\n');
    input.write(message(1, HELLO));
    const [answer] = await once(output, "data");
    expect(JSON.parse(String(answer))).toMatchObject({
      id: 1,
      result: { serverInfo: { name: "wink" } },
    });
    expect(errors.length).toBeGreaterThan(0);
    input.end();
    await service;
  });

  it("answers no request when the signal was aborted before the start (AD-46)", async () => {
    const [input, output, connect] = [new PassThrough(), new PassThrough(), vi.fn()];
    input.write(message(1, HELLO));
    await serveStdio(connect, { input, output, signal: AbortSignal.abort() });
    expect(connect).not.toHaveBeenCalled();
  });
});

function message(id: number, request: object): string {
  return `${JSON.stringify({ jsonrpc: "2.0", id, ...request })}\n`;
}
