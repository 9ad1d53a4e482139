import { request as send } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { QUESTIONS } from "../source/questions.js";
import type { RunSource } from "../source/run-source.js";
import { InspectorServer } from "./serve-inspector.js";
import { PAGE } from "./test-page.test.support.js";

const asked: string[] = [];
let server: InspectorServer;

beforeAll(async () => {
  const source = Object.fromEntries(
    QUESTIONS.map((name) => [
      name,
      async (...args: unknown[]) => {
        asked.push(name);
        return { name, args: args.filter((each) => !(each instanceof AbortSignal)) };
      },
    ]),
  );
  // Each method records that it was asked.
  server = await InspectorServer.listen({ source: source as unknown as RunSource, page: PAGE });
});

afterAll(() => server.close());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends exactly these headers: `fetch` would not let a test choose Host and Origin. */
function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Answer> {
  const { port, hostname } = new URL(server.origin);
  return new Promise((resolve, reject) => {
    const options = { port, hostname, path, method, headers, agent: false };
    const request = send(options, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const body = Buffer.concat(parts).toString();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
    request.on("error", reject);
    request.end();
  });
}

const bearer = () => ({ authorization: `Bearer ${server.token}` });
const port = () => new URL(server.origin).port;

it("a request with the token is answered on every route, under the machine's own names (IN-10)", async () => {
  for (const name of QUESTIONS) {
    const { status, body } = await ask(`/api/${name}?q=${encodeURIComponent('["0"]')}`, bearer());
    expect([name, status, JSON.parse(body).name]).toEqual([name, 200, name]);
  }
  for (const host of ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
    expect((await ask("/", { host: `${host}:${port()}` })).status).toBe(200);
  const own = { origin: server.origin, "sec-fetch-site": "same-origin" };
  expect((await ask("/api/info", { ...bearer(), ...own })).status).toBe(200);
});

it("no route answers without the token, and the page does not contain it (IN-10)", async () => {
  asked.length = 0;
  const wrong = [
    {},
    { authorization: "Bearer" },
    { authorization: `Bearer ${server.token}x` },
    { authorization: `Bearer ${server.token.slice(0, -1)}` },
    { authorization: `Basic ${server.token}` },
    { authorization: server.token },
    { cookie: `token=${server.token}` },
  ];
  for (const headers of wrong)
    for (const name of QUESTIONS)
      expect((await ask(`/api/${name}?q=%5B%5D`, headers)).status).toBe(401);
  expect((await ask(`/api/info?token=${server.token}`)).status).toBe(401);
  expect(asked).toEqual([]);
  const page = await ask("/");
  expect(page.status).toBe(200);
  expect(JSON.stringify(page)).not.toContain(server.token);
});

it("a rebound name and a page of another origin are refused on every route, with the token too (IN-11)", async () => {
  asked.length = 0;
  const paths = ["/", "/favicon.ico", ...QUESTIONS.map((name) => `/api/${name}?q=%5B%5D`)];
  const foreign = [
    { host: "evil.test" },
    { host: `evil.test:${port()}` },
    { host: "127.0.0.1" },
    { host: "127.0.0.1:1" },
    { host: `127.0.0.1.evil.test:${port()}` },
    { host: `localhost.evil.test:${port()}` },
    { host: `127.0.0.1:${port()}.evil.test` },
    { host: `evil.test@127.0.0.1:${port()}` },
    { origin: "http://evil.test" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
    { origin: `https://127.0.0.1:${port()}` },
    { origin: `http://127.0.0.1:${port()}.evil.test` },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ];
  for (const path of paths)
    for (const headers of foreign) {
      const { status, headers: answered } = await ask(path, { ...bearer(), ...headers });
      expect([path, headers, status]).toEqual([path, headers, 403]);
      expect(answered["access-control-allow-origin"]).toBeUndefined();
    }
  // An address that the user types has no site. Only the page may be opened like that.
  expect((await ask("/", { "sec-fetch-site": "none" })).status).toBe(200);
  expect((await ask("/api/info", { ...bearer(), "sec-fetch-site": "none" })).status).toBe(403);
  expect(asked).toEqual([]);
});

it("only GET is answered, and a preflight is refused (IN-12)", async () => {
  asked.length = 0;
  for (const method of ["POST", "PUT", "PATCH", "DELETE", "HEAD", "TRACE"])
    for (const path of ["/", "/api/info"])
      expect((await ask(path, bearer(), method)).status).toBe(405);
  expect((await ask("/api/info", bearer(), "OPTIONS")).status).toBe(403);
  expect(asked).toEqual([]);
});

it("an address that is not a question has no answer, whatever path it spells (IN-12)", async () => {
  asked.length = 0;
  const tricks = [
    ...["/index.html", "/api", "/api/", "/api/info/", "/api/info/../tree", "/api/constructor"],
    ...[
      "/api/__proto__",
      "/api/toString",
      "/api/hasOwnProperty",
      "/../../etc/passwd",
      "//api/info",
    ],
    ...["/..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd", "/api/%69nfo", "/api\\info"],
    ...[
      "/api/info%00",
      "/api/INFO",
      "/file:///etc/passwd",
      "/api/tree.json",
      "/?",
      "/#",
      "/api/info;x",
    ],
  ];
  for (const path of tricks) {
    const { status, body } = await ask(path, bearer());
    expect([path, status]).toEqual([path, 404]);
    expect(body).not.toContain("root:");
  }
  expect(asked).toEqual([]);
});

it("arguments that are not a short JSON list are refused, and a long request is not read (IN-12)", async () => {
  asked.length = 0;
  const q = (value: string) => `/api/tree?q=${encodeURIComponent(value)}`;
  for (const value of ["{}", "x", "[", "1", "null", "[1,2,3,4,5,6]"])
    expect((await ask(q(value), bearer())).status).toBe(400);
  expect((await ask(q(`["${"x".repeat(9_000)}"]`), bearer())).status).toBe(414);
  // Node refuses headers above 16 KiB itself.
  expect((await ask(q(`["${"x".repeat(20_000)}"]`), bearer())).status).toBe(431);
  expect(asked).toEqual([]);
});

it("a body is not read (IN-12)", async () => {
  const { port: number, hostname } = new URL(server.origin);
  const socket = connect(Number(number), hostname);
  const head = `GET /api/info HTTP/1.1\r\nHost: 127.0.0.1:${number}\r\nAuthorization: Bearer ${server.token}\r\n`;
  socket.write(`${head}Content-Length: 100000000\r\nConnection: close\r\n\r\nxxxx`);
  let text = "";
  for await (const part of socket) {
    text += part;
    if (text.includes('"info"')) break;
  }
  expect(text).toMatch(/^HTTP\/1.1 200/);
});

it("every answer forbids scripts, frames, sniffing and caching, and sets no cookie (IN-13)", async () => {
  for (const path of ["/", "/api/info", "/nothing"]) {
    const { headers } = await ask(path, path === "/" ? {} : bearer());
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    expect(headers["set-cookie"]).toBeUndefined();
    const policy = String(headers["content-security-policy"]);
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[\w+/]+='; style-src 'sha256-/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  }
});
