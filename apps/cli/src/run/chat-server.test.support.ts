import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { ScriptedTurn } from "@wink/adapters/scripted";
import { onTestFinished } from "vitest";

export interface ChatServer {
  readonly baseURL: string;
  close(): Promise<void>;
}

/** A text after which the answer never ends. */
export const HELD = "I think about it forever";

/**
 * An HTTP server for a model that plays `turns`, with OpenAI's older API, which compatible servers
 * support.
 */
export async function startChatServer(turns: readonly ScriptedTurn[]): Promise<ChatServer> {
  let next = 0;
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const turn = turns[next++] ?? { text: "The script is over." };
      response.writeHead(200, { "content-type": "text/event-stream" });
      const chunks = chunksOf(turn, next);
      const isHeld = turn.text === HELD;
      for (const chunk of isHeld ? chunks.slice(0, 1) : chunks)
        response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      if (!isHeld) response.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  onTestFinished(close);
  return { baseURL: `http://127.0.0.1:${port}/v1`, close };
}

function chunksOf({ text = "", calls = [] }: ScriptedTurn, number: number): readonly unknown[] {
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({
    id: `answer-${number}`,
    object: "chat.completion.chunk",
    created: 0,
    model: "test",
    choices: [{ index: 0, delta, finish_reason }],
  });
  const content = typeof text === "string" ? text : JSON.stringify(text);
  const tool_calls = calls.map(({ tool, input = {} }, index) => ({
    index,
    id: `call-${number}-${index}`,
    type: "function",
    function: { name: tool, arguments: JSON.stringify(input) },
  }));
  return [
    chunk({ role: "assistant", content }),
    ...(tool_calls.length > 0 ? [chunk({ tool_calls })] : []),
    chunk({}, tool_calls.length > 0 ? "tool_calls" : "stop"),
    {
      ...chunk({}),
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    },
  ];
}
