import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gate } from "../runtime/call/agent.test.support.js";
import { createMcpServer } from "./create-mcp-server.js";
import { editor } from "./editor.test.support.js";
import { call, httpEditor, overHttp } from "./mcp-clients.test.support.js";
import { HELLO, JSON_HEADERS, post, send } from "./raw-http.test.support.js";
import { serveHttp } from "./serve-http.js";
import type { ServeHttpOptions } from "./serve-http-options.js";

const PATIENCE = { timeout: 60_000 };
describe("serveHttp", () => {
  it.each([
    { what: "another host name", headers: { host: "evil.example" }, status: 403 },
    { what: "another host name with a port", headers: { host: "evil.example:80" }, status: 403 },
    {
      what: "a name with our name as prefix",
      headers: { host: "localhost.evil.example" },
      status: 403,
    },
    { what: "a web page", headers: { origin: "https://evil.example" }, status: 403 },
    { what: "a web page with a null origin", headers: { origin: "null" }, status: 403 },
    { what: "a page of this machine", headers: { origin: "http://localhost:3000" }, status: 403 },
    { what: "this machine's name", headers: { host: "localhost:1234" }, status: 200 },
    { what: "this machine's name in capitals", headers: { host: "LocalHost" }, status: 200 },
  ])("answers a request from $what with $status (AD-45)", async ({ headers, status }) => {
    const { service } = await httpEditor();
    expect((await post(service, HELLO, headers)).status).toBe(status);
    expect(service.sessionCount).toBe(status === 200 ? 1 : 0);
  });

  it("serves the configured hosts, origins and users (AD-45)", async () => {
    const { service } = await httpEditor({
      allowedHosts: ["agent.example"],
      allowedOrigins: ["https://app.example"],
      authorize: ({ headers }) => headers.authorization === "Bearer secret",
    });
    const right = {
      host: "agent.example",
      origin: "https://app.example",
      authorization: "Bearer secret",
    };
    const answer = await post(service, HELLO, right);
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe("https://app.example");
    expect((await post(service, HELLO, { ...right, authorization: "" })).status).toBe(401);
    expect((await post(service, HELLO, { ...right, host: "localhost" })).status).toBe(403);
    // The preflight of a browser has no credentials.
    const { authorization: _, ...page } = right;
    const preflight = { ...page, "access-control-request-method": "POST" };
    const asked = await send(service, { method: "OPTIONS", headers: preflight });
    expect(asked.status).toBe(204);
    expect(asked.headers["access-control-allow-headers"]).toContain("authorization");
    const stranger = { ...preflight, origin: "https://evil.example" };
    const refused = await send(service, { method: "OPTIONS", headers: stranger });
    expect(refused.status).toBe(403);
    expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
    // The page may read why it was refused.
    const unknown = await post(service, HELLO, preflight);
    expect(unknown.status).toBe(401);
    expect(unknown.headers["access-control-allow-origin"]).toBe("https://app.example");
  });

  it("has room again after a client disconnected while its session started (AD-45)", async () => {
    const { service, answer, asked, gone } = await slowService({
      maxSessions: 1,
      idleTimeoutMs: 1,
    });
    const leave = new AbortController();
    const lost = post(service, HELLO, {}, { signal: leave.signal }).catch(() => {});
    await asked.promise;
    leave.abort();
    await lost;
    await gone.promise;
    answer.open();
    await vi.waitFor(async () => expect((await post(service, HELLO)).status).toBe(200), PATIENCE);
  });

  it("closes a session that started after the service was closed (AD-45)", async () => {
    const { service, answer, asked, server } = await slowService({ graceMs: 0 });
    const lost = post(service, HELLO).catch(() => {});
    await asked.promise;
    const closed = vi.spyOn(server, "close");
    await service.close();
    answer.open();
    await lost;
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), PATIENCE);
    expect(service.sessionCount).toBe(0);
  });

  it.each([
    { what: "invalid JSON", body: "{", status: 400 },
    {
      what: "no initialize request",
      body: { jsonrpc: "2.0", id: 1, method: "tools/list" },
      status: 400,
    },
    { what: "a body that is too large", body: "x".repeat(2_000), status: 413 },
    {
      what: "an unknown session",
      body: HELLO,
      headers: { "mcp-session-id": "x" },
      status: 404,
    },
    { what: "another path", body: HELLO, path: "/", status: 404 },
    { what: "a form", body: HELLO, headers: { "content-type": "text/plain" }, status: 415 },
  ])("refuses a request with $what (AD-45)", async ({ body, headers, path, status }) => {
    const { service } = await httpEditor({ maxBodyBytes: 1_000 });
    const answer = await post(service, body, headers, { path });
    expect(answer.status).toBe(status);
    expect(answer.body).not.toMatch(/\/home|\/root|node_modules|at .*:\d+/);
    await vi.waitFor(() => expect(service.sessionCount).toBe(0), PATIENCE);
  });

  it("answers when a server cannot be created, even if listeners throw (AD-45)", async () => {
    const errors: string[] = [];
    const service = await serveHttp(() => Promise.reject(new Error("/home/none")), {
      onError: (error) => {
        errors.push(String(error));
        throw new Error("listener");
      },
    });
    onTestFinished(() => service.close());
    const { status, body } = await post(service, HELLO);
    expect([status, JSON.parse(body).error.message]).toEqual([500, "Internal error."]);
    expect(errors).toEqual(["Error: /home/none"]);
  });

  it("stops reading a body without a length at the limit (AD-45)", async () => {
    const { service } = await httpEditor({ maxBodyBytes: 1_000 });
    const answer = await send(service, {
      method: "POST",
      headers: { ...JSON_HEADERS, "transfer-encoding": "chunked" },
      body: "x".repeat(100_000),
    });
    expect(answer.status).toBe(413);
  });

  it("closes sessions that are idle or that the client deletes (AD-45)", async () => {
    const { service } = await httpEditor();
    const first = await post(service, HELLO);
    const session = { "mcp-session-id": String(first.headers["mcp-session-id"]) };
    await send(service, { method: "DELETE", headers: { ...JSON_HEADERS, ...session } });
    expect(service.sessionCount).toBe(0);

    const brief = await httpEditor({ idleTimeoutMs: 1 });
    await post(brief.service, HELLO);
    await vi.waitFor(() => expect(brief.service.sessionCount).toBe(0), PATIENCE);
  });

  it("rolls back running calls when it closes, and refuses new requests (AD-45)", async () => {
    const { service, content, events } = await httpEditor();
    const client = await overHttp(service);
    void call(client, "hang").catch(() => {});
    await vi.waitFor(() => expect(events()).toEqual(["half"]), PATIENCE);
    const { url } = service;
    await service.close();
    expect([await content(), events()]).toEqual(["", []]);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("lets calls finish before it closes (AD-45)", async () => {
    const { service, content } = await httpEditor({ graceMs: 100_000 });
    const client = await overHttp(service);
    const answers = ["1", "2", "3"].map((text) => call(client, "add_line", { text }));
    await vi.waitFor(async () => expect(await content()).not.toBe(""), PATIENCE);
    const closing = service.close();
    const counts = (await Promise.allSettled(answers)).filter(
      ({ status }) => status === "fulfilled",
    );
    await closing;
    expect((await content()).split("\n")).toHaveLength(counts.length + 1);
  });
});

/**
 * A service that starts no session before `answer` opens. `gone` opens when a client has
 * disconnected.
 */
async function slowService(options: ServeHttpOptions) {
  const { prompt, session } = editor();
  const server = await createMcpServer(prompt, session);
  const others = () => createMcpServer(prompt, session);
  const [asked, answer, gone] = [gate(), gate(), gate()];
  let first = true;
  const connect = async () => {
    if (!first) return await others();
    first = false;
    asked.open();
    await answer.promise;
    return server;
  };
  const authorize: ServeHttpOptions["authorize"] = ({ socket }) => {
    socket.once("close", gone.open);
    return true;
  };
  const service = await serveHttp(connect, { authorize, ...options });
  onTestFinished(() => service.close());
  return { service, server, asked, answer, gone };
}
