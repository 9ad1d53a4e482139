import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isQuestion } from "../source/questions.js";
import type { RunSource } from "../source/run-source.js";
import { SourceError, type SourceErrorCode } from "../source/source-error.js";
import { refuseRequest } from "./http-guard.js";
import { policyOf, servedPage } from "./page-policy.js";

export interface ServeOptions {
  readonly source: RunSource;
  /** The HTML of the page, with the two placeholders of `buildPage`. */
  readonly page: string;
  /** @default a free one */
  readonly port?: number | undefined;
}

const TOKEN_BYTES = 32;

const STATUS: Readonly<Record<SourceErrorCode, number>> = {
  ...{ UNKNOWN: 404, MISSING: 404, INVALID: 400, UNAVAILABLE: 503 },
};

/**
 * Serves the page and the answers to its questions, on this machine only. It is read-only, sets no cookie, and takes no
 * path from a request.
 */
export class InspectorServer implements AsyncDisposable {
  readonly #source: RunSource;
  readonly #page: string;
  readonly #http: Server;
  readonly #token = randomBytes(TOKEN_BYTES).toString("base64url");
  readonly #headers: Readonly<Record<string, string>>;
  #port = 0;

  private constructor({ source, page }: ServeOptions) {
    this.#source = source;
    this.#page = servedPage(page);
    this.#headers = {
      "content-security-policy": policyOf(this.#page, { connect: true }),
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    };
    this.#http = createServer(
      { headersTimeout: 10_000, requestTimeout: 10_000 },
      (request, response) => {
        void this.#answer(request, response);
      },
    );
    this.#http.maxConnections = 64;
  }

  /** Starts a server. Rejects if the port is in use. */
  static async listen(options: ServeOptions): Promise<InspectorServer> {
    const server = new InspectorServer(options);
    await new Promise<void>((resolve, reject) => {
      server.#http.once("error", reject);
      // The address, not a name: a name could be resolved to another address.
      server.#http.listen(options.port ?? 0, "127.0.0.1", resolve);
    });
    server.#port = (server.#http.address() as AddressInfo).port;
    return server;
  }

  /** The address without the token. */
  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get token(): string {
    return this.#token;
  }

  /** The address for a browser. The fragment is not sent to any server. */
  get url(): string {
    return `${this.origin}/#token=${this.#token}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#http.close(resolve));
    this.#http.closeAllConnections();
    await closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = refuseRequest(request, { port: this.#port, token: this.#token });
    if (refusal !== undefined) {
      this.#send(response, refusal.status, {
        error: { code: "REFUSED", message: refusal.message },
      });
      return;
    }
    if (request.url === "/") {
      const type = { "content-type": "text/html; charset=utf-8" };
      response.writeHead(200, { ...this.#headers, ...type }).end(this.#page);
      return;
    }
    const closed = new AbortController();
    response.once("close", () => closed.abort());
    try {
      this.#send(response, 200, await this.#ask(request.url ?? "", closed.signal));
    } catch (error) {
      this.#sendError(response, error);
    }
  }

  async #ask(url: string, signal: AbortSignal): Promise<unknown> {
    // Match the raw address, because a parsed URL would also accept other spellings such as `/x/../api`.
    const [, name = "", query = ""] = /^\/api\/([a-z]+)(?:\?(.*))?$/.exec(url) ?? [];
    if (!isQuestion(name)) throw new SourceError("UNKNOWN", "There is nothing at this address.");
    const args = parseArguments(new URLSearchParams(query).get("q"));
    if (name === "wait")
      return await this.#source.wait(args[0] as string, args[1] as string, signal);
    // The source checks each argument, because a caller may send anything.
    const answer = this.#source[name] as (...args: readonly unknown[]) => Promise<unknown>;
    return await answer.apply(this.#source, [...args]);
  }

  #sendError(response: ServerResponse, error: unknown): void {
    if (error instanceof SourceError) {
      const { code, message } = error;
      this.#send(response, STATUS[code], { error: { code, message } });
      return;
    }
    // The message of any other error may contain a path of this machine.
    const message = "The run could not be read. Run `wink inspect --debug` to see why.";
    this.#send(response, 500, { error: { code: "FAILED", message } });
  }

  #send(response: ServerResponse, status: number, answer: unknown): void {
    if (response.destroyed) return;
    const type = { "content-type": "application/json; charset=utf-8" };
    response.writeHead(status, { ...this.#headers, ...type }).end(JSON.stringify(answer ?? null));
  }
}

function parseArguments(text: string | null): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    if (Array.isArray(value) && value.length <= 5) return value;
  } catch {
    // Not JSON.
  }
  throw new SourceError("INVALID", "q: it must be a JSON list of at most 5 arguments.");
}
