import { execFile } from "node:child_process";
import { chmod, lstat, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type ClientRequest, request } from "node:http";
import { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { call, connect, httpEditor, textOf } from "./mcp-clients.test.support.js";
import { askAsAnotherUser, canBeAnotherUser } from "./other-user.test.support.js";

let directory = "";
let socketPath = "";

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "wink-socket-"));
  socketPath = join(directory, "mcp.sock");
  onTestFinished(() => rm(directory, { recursive: true }));
});

it("a socket serves the official client without a token, is private to its owner, and is removed with the service (AD-62)", async () => {
  const { service } = await httpEditor({ socketPath });
  expect([service.token, service.port, service.url.href]).toEqual([
    undefined,
    undefined,
    "http://localhost/mcp",
  ]);
  const { mode } = await lstat(socketPath);
  expect((mode & 0o777).toString(8)).toBe("600");
  const transport = new StreamableHTTPClientTransport(service.url, {
    fetch: fetchOver(socketPath),
  });
  const client = await connect(transport as Transport);
  expect(textOf(await call(client, "add_line", { text: "a" }))).toContain("There are 1 lines.");
  await client.close();
  await service.close();
  await expect(lstat(socketPath)).rejects.toThrow("ENOENT");
});

it.runIf(canBeAnotherUser())(
  "a socket is closed to other users of the machine (AD-62)",
  async () => {
    await chmod(directory, 0o755);
    const { service } = await httpEditor({ socketPath });
    expect(await askAsAnotherUser({ url: service.url, socketPath })).toBe("EACCES");
  },
);

it("a socket is never open to other users, not even while it is created (AD-62)", async () => {
  const seen: string[] = [];
  const listen = vi.spyOn(Server.prototype, "listen");
  onTestFinished(() => listen.mockRestore());
  await httpEditor({ socketPath });
  for (const [path] of listen.mock.calls) if (typeof path === "string") seen.push(path);
  // Other users cannot enter the directory in which it was created, whatever the umask. The
  // directory is deleted afterwards.
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatch(/\/\.w-\w+\/s$/);
  await expect(lstat(seen[0] ?? "")).rejects.toThrow("ENOENT");
});

it("a socket can have a token too (AD-62)", async () => {
  const { service } = await httpEditor({ socketPath, token: "0123456789abcdef" });
  const response = await fetchOver(socketPath)(service.url, { method: "POST", body: "{}" });
  expect(response.status).toBe(401);
});

it("a stale socket of a dead process is replaced, but a used one or another file is not (AD-62)", async () => {
  const first = await httpEditor({ socketPath });
  await expect(httpEditor({ socketPath })).rejects.toMatchObject({ code: "SOCKET_IN_USE" });
  // As after a kill: the file exists, but no process listens.
  const stale = join(directory, "stale.sock");
  await leaveStale(stale);
  expect((await lstat(stale)).isSocket()).toBe(true);
  await httpEditor({ socketPath: stale });
  const file = join(directory, "file");
  await writeFile(file, "mine");
  await expect(httpEditor({ socketPath: file })).rejects.toMatchObject({ code: "SOCKET_IN_USE" });
  expect((await lstat(file)).isFile()).toBe(true);
  expect(first.service.sessionCount).toBe(0);
});

it.each([
  { what: "a directory that does not exist", path: () => join(directory, "none", "s") },
  { what: "a path that is too long", path: () => join(directory, "x".repeat(120)) },
])("a socket in $what is refused, and the message contains no path (AD-62)", async ({ path }) => {
  const error = await httpEditor({ socketPath: path() }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: "AdapterError", code: "SOCKET_INVALID" });
  expect(String(error)).not.toContain(directory);
});

it("a socket in a directory that others can change is refused (AD-62)", async () => {
  await chmod(directory, 0o777);
  await expect(httpEditor({ socketPath })).rejects.toMatchObject({ code: "SOCKET_INVALID" });
  await chmod(directory, 0o1777);
  await httpEditor({ socketPath });
});

async function leaveStale(path: string): Promise<void> {
  const code = `require("node:net").createServer().listen(process.argv[1], () => process.kill(process.pid, "SIGKILL"))`;
  await new Promise<void>((resolve) => {
    execFile(process.execPath, ["-e", code, path], () => resolve());
  });
}

/** Like `fetch`, over a Unix socket. */
function fetchOver(path: string) {
  return async (url: string | URL, init: RequestInit = {}): Promise<Response> =>
    await new Promise((resolve, reject) => {
      const headers = Object.fromEntries(new Headers(init.headers));
      const { method = "GET", signal } = init;
      const sent: ClientRequest = request(
        url,
        { socketPath: path, method, headers, ...(signal ? { signal } : {}) },
        (response) => {
          const status = response.statusCode ?? 500;
          const body = [202, 204].includes(status) ? null : Readable.toWeb(response);
          // Node's own web streams.
          resolve(
            new Response(body as ReadableStream | null, {
              status,
              headers: headersOf(response.headers),
            }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(init.body ?? undefined);
    });
}

function headersOf(headers: NodeJS.Dict<string | string[]>): Headers {
  const made = new Headers();
  for (const [name, value] of Object.entries(headers)) made.set(name, String(value));
  return made;
}
