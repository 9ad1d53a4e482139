import { connect } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call, httpEditor, overHttp } from "./mcp-clients.test.support.js";
import { HELLO, JSON_HEADERS, post, type RawAnswer, send, start } from "./raw-http.test.support.js";
import type { HttpService } from "./serve-http.js";

const PATIENCE = { timeout: 60_000 };
const KIBIBYTE = 1_024;

describe("bodies that stall", () => {
  it("are not read without the token, regardless of their number (AD-63)", async () => {
    const { service } = await httpEditor();
    const answers = await Promise.all(
      Array.from({ length: 120 }, () => stall(service, 64 * KIBIBYTE, false).answer),
    );
    expect(answers.map((answer) => answer?.status)).toEqual(answers.map(() => 401));
    expect([service.requestCount, service.bufferedBytes]).toEqual([0, 0]);
  });

  it("are limited in number, and are released when their clients disconnect (AD-63)", async () => {
    const { service } = await httpEditor({ maxRequests: 8 });
    const stalled = Array.from({ length: 120 }, () => stall(service, 64 * KIBIBYTE));
    await vi.waitFor(() => {
      expect(stalled.filter(({ status }) => status() === 503)).toHaveLength(112);
      expect(service.bufferedBytes).toBe(8 * 64 * KIBIBYTE);
    }, PATIENCE);
    expect(service.requestCount).toBe(8);
    const refused = await post(service, HELLO);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "1"]);
    for (const { leave } of stalled) leave();
    await vi.waitFor(
      () => expect([service.requestCount, service.bufferedBytes]).toEqual([0, 0]),
      PATIENCE,
    );
    expect((await post(service, HELLO)).status).toBe(200);
  });

  it("are limited in their total size (AD-63)", async () => {
    const maxBufferedBytes = 1_000 * KIBIBYTE;
    const { service } = await httpEditor({ maxRequests: 100, maxBufferedBytes });
    const stalled = Array.from({ length: 40 }, () => stall(service, 100 * KIBIBYTE));
    let most = 0;
    await vi.waitFor(() => {
      most = Math.max(most, service.bufferedBytes);
      expect(stalled.filter(({ status }) => status() === 503).length).toBeGreaterThanOrEqual(30);
    }, PATIENCE);
    expect(most).toBeLessThanOrEqual(maxBufferedBytes);
    for (const { leave } of stalled) leave();
    await vi.waitFor(() => expect(service.bufferedBytes).toBe(0), PATIENCE);
  });

  it("time out, and so do headers that never end (AD-63)", async () => {
    const { service } = await httpEditor({ requestTimeoutMs: 200 });
    const { answer } = stall(service, KIBIBYTE);
    expect((await answer)?.status).toBe(408);
    await vi.waitFor(() => expect(service.requestCount).toBe(0), PATIENCE);
    const socket = connect(Number(service.url.port), service.url.hostname);
    socket.on("error", () => {});
    socket.write("POST /mcp HTTP/1.1\r\nhost: loc");
    await new Promise((resolve) => socket.resume().once("close", resolve));
  });
});

it("calls count until they end, also if their clients have disconnected (AD-63)", async () => {
  const { service, events } = await httpEditor({ maxRequests: 2, maxSessions: 1 });
  const session = { "mcp-session-id": await begin(service) };
  const leave = new AbortController();
  const params = { name: "hang", arguments: {} };
  const body = { jsonrpc: "2.0", id: "x", method: "tools/call", params };
  const left = post(service, body, session, { signal: leave.signal }).catch(() => {});
  await vi.waitFor(() => expect(events()).toEqual(["half"]), PATIENCE);
  leave.abort();
  await left;
  // Its call continues, as the protocol requires. So its session is not closed to make room.
  expect((await post(service, HELLO)).status).toBe(503);
  expect(service.requestCount).toBe(1);
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "x" } };
  expect((await post(service, cancel, session)).status).toBe(202);
  await vi.waitFor(() => expect(service.requestCount).toBe(0), PATIENCE);
  expect((await post(service, HELLO)).status).toBe(200);
});

describe("sessions", () => {
  it("of idle clients make room for new ones, least recently used first (AD-64)", async () => {
    const { service } = await httpEditor({ maxSessions: 3 });
    const [a, b, c] = [await begin(service), await begin(service), await begin(service)];
    expect(await list(service, a)).toBe(200);
    const d = await begin(service);
    expect(service.sessionCount).toBe(3);
    // The client of the closed session must start a new one.
    expect([await list(service, b), await list(service, a)]).toEqual([404, 200]);
    expect([await list(service, c), await list(service, d)]).toEqual([200, 200]);
    // One client alone cannot block the others.
    for (let count = 0; count < 100; count++) await begin(service);
    expect(service.sessionCount).toBe(3);
    const client = await overHttp(service);
    expect((await call(client, "add_line", { text: "a" })).isError).not.toBe(true);
  });

  it("that only listen make room too, and their streams are closed (AD-64)", async () => {
    const { service } = await httpEditor({ maxSessions: 1 });
    const first = await begin(service);
    const listening = send(service, {
      method: "GET",
      headers: { accept: "text/event-stream", "mcp-session-id": first },
    });
    const second = await begin(service);
    expect((await listening).status).toBe(200);
    expect([await list(service, first), await list(service, second)]).toEqual([404, 200]);
  });

  it("with a running call do not make room: a new client is refused for now (AD-64)", async () => {
    const { service, events } = await httpEditor({ maxSessions: 1 });
    const client = await overHttp(service);
    const controller = new AbortController();
    const hanging = client
      .callTool({ name: "hang", arguments: {} }, undefined, { signal: controller.signal })
      .catch(() => {});
    await vi.waitFor(() => expect(events()).toEqual(["half"]), PATIENCE);
    expect((await post(service, HELLO)).status).toBe(503);
    controller.abort();
    await hanging;
    await vi.waitFor(() => expect(events()).toEqual([]), PATIENCE);
    // A cancelled request is never answered, and must not count forever.
    await vi.waitFor(() => expect(service.requestCount).toBe(0), PATIENCE);
    await vi.waitFor(async () => expect((await post(service, HELLO)).status).toBe(200), PATIENCE);
  });
});

/** Sends `sizeBytes` of a body and then nothing more. */
function stall(service: HttpService, sizeBytes: number, hasToken = true) {
  const headers = { ...JSON_HEADERS, "content-length": String(3 * KIBIBYTE * KIBIBYTE) };
  const { outgoing, promise } = start(service, { method: "POST", headers, hasToken });
  let status: number | undefined;
  const leave = () => void outgoing.destroy();
  onTestFinished(leave);
  outgoing.on("response", (response) => {
    status = response.statusCode;
  });
  outgoing.write("x".repeat(sizeBytes));
  const answer: Promise<RawAnswer | undefined> = promise.catch(() => undefined);
  return { answer, leave, status: () => status };
}

async function begin(service: HttpService): Promise<string> {
  const { status, headers } = await post(service, HELLO);
  expect(status).toBe(200);
  return String(headers["mcp-session-id"]);
}

async function list(service: HttpService, session: string): Promise<number | undefined> {
  const body = { jsonrpc: "2.0", id: 7, method: "tools/list", params: {} };
  return (await post(service, body, { "mcp-session-id": session })).status;
}
