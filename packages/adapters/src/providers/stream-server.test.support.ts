import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

export type Json = Readonly<Record<string, unknown>>;

/** The events of one streamed answer, a refusal, or a function of the request's body. */
export type Answer = Reply | ((body: Json) => Reply);
export type Reply = readonly Json[] | { readonly status: number; readonly body: Json };

export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Json;
}

/** A model server over HTTP that answers with given streams. Each test has its own address. */
export class StreamServer {
  readonly #tests = new Map<string, StreamedTest>();
  readonly #server = createServer(async (request, response) => {
    const [, id = "", ...path] = (request.url ?? "").split("/");
    const test = this.#tests.get(id);
    if (test === undefined) return void response.writeHead(404).end();
    // The clients send JSON objects.
    const body = (await json(request)) as Json;
    test.requests.push({ path: `/${path.join("/")}`, headers: request.headers, body });
    const answer = test.next(body);
    if ("status" in answer) {
      response.writeHead(answer.status, { "content-type": "application/json" });
      return void response.end(JSON.stringify(answer.body));
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of answer) {
      const type = typeof event["type"] === "string" ? `event: ${event["type"]}\n` : "";
      response.write(`${type}data: ${JSON.stringify(event)}\n\n`);
    }
    response.end("choices" in (answer[0] ?? {}) ? "data: [DONE]\n\n" : "");
  });

  async start(): Promise<void> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Answers the requests to `url` one after the other. The last answer is repeated. */
  answer(...answers: readonly Answer[]): StreamedTest {
    const id = String(this.#tests.size);
    // It listens on a port, so the address is an AddressInfo.
    const { port } = this.#server.address() as AddressInfo;
    const test = new StreamedTest(`http://127.0.0.1:${port}/${id}`, answers);
    this.#tests.set(id, test);
    return test;
  }
}

export class StreamedTest {
  readonly requests: ReceivedRequest[] = [];
  readonly url: string;
  readonly #answers: readonly Answer[];
  #count = 0;

  constructor(url: string, answers: readonly Answer[]) {
    this.url = url;
    this.#answers = answers;
  }

  next(body: Json): Reply {
    const at = Math.min(this.#count++, this.#answers.length - 1);
    const answer = this.#answers[at] ?? [];
    return typeof answer === "function" ? answer(body) : answer;
  }
}
