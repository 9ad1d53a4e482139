import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

interface StoredObject {
  readonly bytes: Buffer;
  readonly etag: string;
}

/** Faults that a test can order. */
export interface S3Faults {
  /** Ignores `If-Match` and `If-None-Match`, as some servers do. */
  ignoresConditions?: boolean;
  /** Executes this many writes and then answers 500. */
  failsAfterWrite?: number;
  /** Refuses the next write with 400 and this code. */
  refusesWith?: string | undefined;
}

/** A small S3 server in memory, with one bucket named `runs`. */
export class S3Server implements AsyncDisposable {
  readonly faults: S3Faults = {};
  readonly objects = new Map<string, StoredObject>();
  /** `GET key`, `PUT key` and so on, in order. */
  readonly requests: string[] = [];
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      // A client that closes its connection in the middle of a request gets no answer.
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server();
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://s3");
    const body = await buffer(request);
    const [, bucket, ...rest] = pathname.split("/");
    const key = decodeURIComponent(rest.join("/"));
    this.requests.push(`${request.method} ${key}`);
    if (!request.headers.authorization?.startsWith("AWS4-HMAC-SHA256 Credential=AK/"))
      return end(response, 403);
    if (bucket !== "runs") return end(response, 404);
    if (searchParams.has("list-type")) return this.#list(searchParams, response);
    const found = this.objects.get(key);
    if (request.method === "GET") return sendObject(request, response, found);
    if (request.method === "DELETE") {
      this.objects.delete(key);
      return end(response, 204);
    }
    const { refusesWith } = this.faults;
    if (refusesWith !== undefined) {
      this.faults.refusesWith = undefined;
      return end(response, 400, {}, `<Error><Code>${refusesWith}</Code></Error>`);
    }
    if (!this.#isAllowed(request, found)) return end(response, 412);
    const etag = createHash("md5").update(body).digest("hex");
    this.objects.set(key, { bytes: body, etag });
    const { failsAfterWrite = 0 } = this.faults;
    if (failsAfterWrite > 0) {
      this.faults.failsAfterWrite = failsAfterWrite - 1;
      return end(response, 500);
    }
    end(response, 200, { etag: `"${etag}"` });
  }

  #isAllowed({ headers }: IncomingMessage, found: StoredObject | undefined): boolean {
    if (this.faults.ignoresConditions) return true;
    if (headers["if-none-match"] === "*" && found) return false;
    const match = headers["if-match"];
    return match === undefined || match.replaceAll('"', "") === found?.etag;
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get("prefix") ?? "";
    const after = query.get("continuation-token") ?? "";
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.sort().slice(0, MAX_LISTED);
    const isTruncated = keys.length > page.length;
    const contents = page.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    const token = isTruncated
      ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>`
      : "";
    response.writeHead(200, { "content-type": "application/xml" });
    response.end(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${contents}</ListBucketResult>`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

const MAX_LISTED = 100;

function sendObject(
  { headers }: IncomingMessage,
  response: ServerResponse,
  found: StoredObject | undefined,
): void {
  if (found === undefined) {
    end(response, 404);
    return;
  }
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
  const part = first ? found.bytes.subarray(Number(first), Number(last) + 1) : found.bytes;
  response.writeHead(first ? 206 : 200, { etag: `"${found.etag}"` });
  response.end(part);
}

function end(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  body = "",
): void {
  response.writeHead(status, headers);
  response.end(body);
}
