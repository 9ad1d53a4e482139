import { connect as connectTo } from "node:net";
import { describe, expect, it } from "vitest";
import { createMcpServer } from "./create-mcp-server.js";
import { editor } from "./editor.test.support.js";
import { call, httpEditor, overHttp, textOf } from "./mcp-clients.test.support.js";
import { askAsAnotherUser, canBeAnotherUser } from "./other-user.test.support.js";
import { HELLO, JSON_HEADERS, post, send } from "./raw-http.test.support.js";
import { serveHttp } from "./serve-http.js";

const METHODS = ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE"];

describe("the token of serveHttp", () => {
  it("has 256 random bits, differs for each service, and works with the official client (AD-61)", async () => {
    const [one, other] = [await httpEditor(), await httpEditor()];
    const tokens = [one, other].map(({ service }) => service.token ?? "");
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
    const client = await overHttp(one.service);
    expect(textOf(await call(client, "add_line", { text: "a" }))).toContain("There are 1 lines.");
    expect(
      (await post(other.service, HELLO, { authorization: `Bearer ${tokens[0]}` })).status,
    ).toBe(401);
  });

  it("is required for every method and route, also with a session (AD-61)", async () => {
    const { service, content } = await httpEditor();
    const begun = await post(service, HELLO);
    const session = { "mcp-session-id": String(begun.headers["mcp-session-id"]) };
    for (const method of METHODS)
      for (const path of ["/mcp", "/", "/mcp/../x", "/.well-known/oauth-protected-resource"]) {
        const headers = { ...JSON_HEADERS, ...session };
        const body = method === "POST" ? JSON.stringify(addLine()) : undefined;
        const answer = await send(service, { method, path, headers, body, hasToken: false });
        expect([method, path, answer.status]).toEqual([method, path, 401]);
        expect(answer.headers["www-authenticate"]).toBe("Bearer");
        if (method !== "HEAD")
          expect(JSON.parse(answer.body)).toMatchObject({
            jsonrpc: "2.0",
            error: { message: expect.stringMatching(/^Not authorized\. Send the token/) },
          });
      }
    expect([service.sessionCount, await content()]).toEqual([1, ""]);
    // With the token the same request is a call.
    expect((await post(service, addLine(), session)).status).toBe(200);
    expect(await content()).toBe("a\n");
  });

  it.each([
    { what: "none", authorization: "" },
    { what: "only a scheme", authorization: "Bearer " },
    { what: "a part of it", authorization: "Bearer %HALF%" },
    { what: "more than it", authorization: "Bearer %TOKEN%x" },
    { what: "another scheme", authorization: "Basic %TOKEN%" },
    { what: "no scheme", authorization: "%TOKEN%" },
    { what: "two tokens", authorization: "Bearer %TOKEN% %TOKEN%" },
  ])("refuses $what (AD-61)", async ({ authorization }) => {
    const { service } = await httpEditor();
    const token = service.token ?? "";
    const sent = authorization.replaceAll("%TOKEN%", token).replace("%HALF%", token.slice(0, 20));
    expect((await post(service, HELLO, { authorization: sent })).status).toBe(401);
    const right = { authorization: `bearer  ${token}` };
    expect((await post(service, HELLO, right)).status).toBe(200);
  });

  it("is checked before a body is requested or read (AD-61)", async () => {
    const { service } = await httpEditor();
    const { hostname, port } = service.url;
    const answers = await new Promise<string>((resolve) => {
      const socket = connectTo(Number(port), hostname);
      let text = "";
      socket.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
      // No byte of the body is sent. The refusal comes anyway, without "100 Continue".
      socket.write(
        "POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3000000\r\nexpect: 100-continue\r\n\r\n",
      );
    });
    expect(answers).toMatch(/^HTTP\/1\.1 401 /);
    expect([service.requestCount, service.bufferedBytes]).toEqual([0, 0]);
  });

  it("can be set, and a weak one is refused without repeating it (AD-61)", async () => {
    const { service } = await httpEditor({ token: "0123456789abcdef" });
    expect(service.token).toBe("0123456789abcdef");
    expect((await post(service, HELLO)).status).toBe(200);
    const { prompt, session } = editor();
    for (const token of ["", "short", "with a blank in it", "línea-0123456789abcdef"]) {
      const refused = serveHttp(() => createMcpServer(prompt, session), { token });
      await expect(refused).rejects.toMatchObject({
        name: "AdapterError",
        code: "TOKEN_INVALID",
        message: expect.stringMatching(/^token: it must have 16 to 1024 characters/),
      });
    }
  });

  it("is replaced by authorize, and is then not required (AD-61)", async () => {
    const { service } = await httpEditor({ authorize: ({ headers }) => headers["x-me"] === "me" });
    expect(service.token).toBeUndefined();
    expect((await post(service, HELLO)).status).toBe(401);
    expect((await post(service, HELLO, { "x-me": "me" })).status).toBe(200);
  });

  it.runIf(canBeAnotherUser())("keeps out other users of the machine (AD-61)", async () => {
    const { service } = await httpEditor();
    expect(await askAsAnotherUser({ url: service.url })).toBe("401");
    // The token decides, not the user.
    const authorization = `Bearer ${service.token}`;
    expect(await askAsAnotherUser({ url: service.url }, { authorization })).toBe("415");
  });
});

function addLine() {
  const params = { name: "add_line", arguments: { text: "a" } };
  return { jsonrpc: "2.0", id: 2, method: "tools/call", params };
}
