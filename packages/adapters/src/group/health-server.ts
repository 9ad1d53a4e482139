import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { AgentLoopStatus } from "../worker/agent-loop.js";

interface Checked {
  status(): Readonly<Record<string, AgentLoopStatus>>;
  metrics(): Promise<string>;
}

/**
 * Answers `/live`, `/ready` and `/metrics`.
 *
 * Live: the process answers, and no loop has ended unexpectedly. Ready: every loop takes requests and reaches its queue.
 */
export class HealthServer {
  readonly #where: { readonly port: number; readonly host?: string | undefined };
  readonly #checked: Checked;
  readonly #server: Server;

  constructor(
    where: { readonly port: number; readonly host?: string | undefined },
    checked: Checked,
  ) {
    this.#where = where;
    this.#checked = checked;
    this.#server = createServer((request, response) => {
      void this.#answer(request.url ?? "/", response).catch(() => end(response, 500, "error\n"));
    });
  }

  get url(): string | undefined {
    const address = this.#server.address() as AddressInfo | null;
    if (address === null) return undefined;
    const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
    return `http://${host}:${address.port}`;
  }

  async listen(): Promise<void> {
    const { port, host = "127.0.0.1" } = this.#where;
    this.#server.listen(port, host);
    await once(this.#server, "listening");
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  async #answer(url: string, response: ServerResponse): Promise<void> {
    const status = Object.values(this.#checked.status());
    const { pathname } = new URL(url, "http://worker");
    if (pathname === "/metrics") return end(response, 200, await this.#checked.metrics());
    const json = `${JSON.stringify(this.#checked.status())}\n`;
    if (pathname === "/live")
      return end(response, status.some(({ state }) => state === "failed") ? 503 : 200, json);
    if (pathname !== "/ready") return end(response, 404, "not found\n");
    const isReady = status.every(({ state, reaches }) => state === "running" && reaches);
    end(response, isReady ? 200 : 503, json);
  }
}

function end(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": text.startsWith("{") ? "application/json" : "text/plain; version=0.0.4",
  });
  response.end(text);
}
