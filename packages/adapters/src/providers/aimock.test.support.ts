import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readText } from "node:stream/consumers";
import { type ChatCompletionRequest, type FixtureResponse, LLMock } from "@copilotkit/aimock";

/** A fault of one request on its way to the model and back. */
export type Fault =
  /** No data ever arrives. */
  | "hang"
  /** Half of the answer arrives, and then nothing. */
  | "hang-midway"
  /** The connection breaks after half of the answer. */
  | "cut"
  /** The answer ends regularly after half of it. */
  | "end-early"
  /** An event in the middle is not JSON. */
  | "garble"
  /** A refusal arrives without the `retry-after` header. */
  | "no-hint";

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export type Script = (request: ChatCompletionRequest) => FixtureResponse;

/** A third-party mock model server with a proxy that can inject faults. */
export class DisturbedServer {
  /** The faults of the next requests, one each. */
  readonly faults: Fault[] = [];
  readonly requests: SeenRequest[] = [];
  /** How many requests were left hanging, and how many of them the client has cancelled. */
  hung = 0;
  closed = 0;
  readonly #mock = new LLMock({ port: 0, chunkSize: 4 });
  readonly #line = createServer((request, response) => {
    this.#pass(request.url ?? "", request.headers, readText(request), response).catch(() =>
      response.destroy(),
    );
  });

  static async start(script: Script): Promise<DisturbedServer> {
    const server = new DisturbedServer();
    server.script = script;
    await server.#mock.start();
    server.#line.listen(0, "127.0.0.1");
    await once(server.#line, "listening");
    return server;
  }

  /** Sets the model's answers. A repeated request must get the same answer. */
  set script(script: Script) {
    this.#mock.clearFixtures();
    this.#mock.on({ predicate: () => true }, script, { chunkSize: 4 });
  }

  get mock(): LLMock {
    return this.#mock;
  }

  get url(): string {
    // It listens on a port, so the address is an AddressInfo.
    return `http://127.0.0.1:${(this.#line.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#line.closeAllConnections();
    this.#line.close();
    await this.#mock.stop();
  }

  async #pass(
    path: string,
    headers: IncomingHttpHeaders,
    sent: Promise<string>,
    response: ServerResponse,
  ): Promise<void> {
    const body = await sent;
    this.requests.push({ path, headers, body: JSON.parse(body) });
    const fault = this.faults.shift();
    if (fault === "hang") return this.#hold(response);
    const answer = await fetch(`${this.#mock.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const events = (await answer.text()).split(/(?<=\n\n)/);
    const half = Math.ceil(events.length / 2);
    const hint = fault === "no-hint" ? null : answer.headers.get("retry-after");
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type") ?? "",
      ...(hint !== null && { "retry-after": hint }),
    });
    if (fault === "garble") events[half] = events[half]?.replace(/^data: .*$/m, "data: {br") ?? "";
    const isHalf = fault === "cut" || fault === "end-early" || fault === "hang-midway";
    for (const event of isHalf ? events.slice(0, half) : events) response.write(event);
    if (fault === "hang-midway") return this.#hold(response);
    if (fault !== "cut") return void response.end();
    // Flush the written data before the connection breaks.
    response.write("", () => response.destroy());
  }

  #hold(response: ServerResponse): void {
    this.hung++;
    response.on("close", () => this.closed++);
  }
}
