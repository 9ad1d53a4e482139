import { execFile } from "node:child_process";
import { chmod, lstat, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { expect, it, onTestFinished, vi } from "vitest";
import { isThere } from "../workspace/has-component.test.support.js";
import { collect, runWink, startWink } from "../workspace/wink-process.test.support.js";
import { makeProject, type Project } from "../workspace/workspace.test.support.js";
import { caller } from "./mcp-client.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const FILES = { "a.txt": "one\n" };
const TOKEN = "0123456789abcdefghij";

it("wink mcp --http serves clients with a token that is printed once as JSON, and shuts down gracefully (CL-37, CL-42)", async () => {
  const project = await makeProject(FILES);
  const server = await serve(project, "--json");
  const { url, token, mode } = JSON.parse(server.stdout());
  expect(mode).toBe("workspace");
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(server.stderr()).not.toContain(token);
  const { client, call } = await connect(url, token);
  await call("snapshot_create", { name: "start" });
  await call("write_file", { path: "new.txt", content: "n\n" });
  expect(await call("snapshot_diff", { name: "start" })).toContain("+n");
  expect(await call("snapshot_restore", { name: "start" })).toContain("new.txt");
  await client.close();
  expect(await server.end()).toBe(0);
  expect(await project.read()).toEqual(FILES);
});

it("wink mcp --http prints the token once in a configuration to paste, and refuses clients without it (CL-42)", async () => {
  const project = await makeProject(FILES);
  const server = await serve(project, "--in-place");
  const [line = ""] = server.stderr().match(/^ {2}\{.*\}$/m) ?? [];
  const { url, headers } = JSON.parse(line).mcpServers.wink;
  const token = headers.Authorization.replace("Bearer ", "");
  expect(`${server.stderr()}${server.stdout()}`.split(token)).toHaveLength(2);
  const without = await fetch(url, { method: "POST", body: "{}" });
  expect([without.status, without.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
  await expect(connect(url, `${token}x`)).rejects.toThrow();
  const { call } = await connect(url, token);
  expect(await call("read_file", { path: "a.txt" })).toContain("one");
  if (
    isThere(process.getuid?.() === 0, "requests of another user need root; run the tests as root")
  )
    expect(await statusForNobody(url)).toBe("401");
  expect(await project.read()).toEqual(FILES);
});

it("wink mcp --http uses the token in WINK_MCP_TOKEN and does not print it (CL-42)", async () => {
  const project = await makeProject(FILES);
  const env = { ...project.env, WINK_MCP_TOKEN: TOKEN };
  const server = await serve({ ...project, env }, "--json");
  const { url, ...rest } = JSON.parse(server.stdout());
  expect(rest).not.toHaveProperty("token");
  expect(server.stderr()).not.toContain(TOKEN);
  const { call } = await connect(url, TOKEN);
  expect(await call("read_file", { path: "a.txt" })).toContain("one");

  const { directory: cwd } = project;
  const weak = { ...project.env, WINK_MCP_TOKEN: "weak" };
  const refused = await runWink(["mcp", "--http", "0"], { cwd, env: weak });
  expect(refused).toMatchObject({ exitCode: 3, stdout: "" });
  expect(refused.stderr).toContain("wink: token: it must have 16 to 1024 characters");
});

it("wink mcp --token-file saves the token in a file of mode 600 and uses it again (CL-42)", async () => {
  const project = await makeProject(FILES);
  const file = join(project.state, "token");
  const first = await serve(project, "--json", "--token-file", file);
  const token = (await readFile(file, "utf8")).trim();
  expect(((await lstat(file)).mode & 0o777).toString(8)).toBe("600");
  expect(first.stdout() + first.stderr()).not.toContain(token);
  await connect(JSON.parse(first.stdout()).url, token);
  expect(await first.end()).toBe(0);
  const again = await serve(project, "--json", "--token-file", file);
  await connect(JSON.parse(again.stdout()).url, token);
});

it("wink mcp refuses a token file that others can open, that is a link, or without --http (CL-42)", async () => {
  const project = await makeProject(FILES);
  const { directory: cwd, env, state } = project;
  const [open, link] = [join(state, "open"), join(state, "link")];
  await mkdir(state, { recursive: true });
  await writeFile(open, TOKEN);
  await chmod(open, 0o640);
  await symlink(open, link);
  const run = (...args: readonly string[]) => runWink(["mcp", ...args], { cwd, env });
  const shared = await run("--http", "0", "--token-file", open);
  expect(shared).toMatchObject({ exitCode: 3 });
  expect(shared.stderr).toContain("other users can open it.\nRun: chmod 600 ");
  expect((await run("--http", "0", "--token-file", link)).exitCode).toBe(3);
  expect((await run("--token-file", open)).exitCode).toBe(2);
  expect((await run("--http", "0", "--socket", "s")).exitCode).toBe(2);
});

it("wink mcp --socket serves on a socket that only its owner can open, and prints its path (CL-43)", async () => {
  const project = await makeProject(FILES);
  const socket = join(project.state, "s");
  const server = await start(project, ["--socket", socket, "--json"]);
  expect(JSON.parse(server.stdout())).toMatchObject({ socket, url: "http://localhost/mcp" });
  expect(((await lstat(socket)).mode & 0o777).toString(8)).toBe("600");
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", ASK, socket]);
  expect(stdout.trim()).toBe("415");
  const second = await runWink(["mcp", "--socket", socket], {
    cwd: project.directory,
    env: project.env,
  });
  expect(second.exitCode).toBe(3);
  expect(second.stderr).toContain("wink: socket: its path is taken.");
  expect(await server.end()).toBe(0);
  await expect(lstat(socket)).rejects.toThrow("ENOENT");
});

/** Prints the status of a request that cannot start a session. */
const ASK = `
const target = process.argv[1];
const options = target.startsWith("http") ? {} : { socketPath: target };
const url = target.startsWith("http") ? target : "http://localhost/mcp";
require("node:http").request(url, { ...options, method: "POST" }, (response) => {
  console.log(response.statusCode);
  response.resume();
}).end("{}");
`;

async function statusForNobody(url: string): Promise<string> {
  const options = { uid: 65_534, gid: 65_534, cwd: "/", env: {} };
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", ASK, url], options);
  return stdout.trim();
}

async function connect(url: string, token: string) {
  const client = new Client({ name: "test", version: "1.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  // The SDK declares its optional members as possibly undefined, which makes no difference to
  // callers.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  onTestFinished(() => client.close());
  return { client, call: caller(client) };
}

function serve(project: Pick<Project, "directory" | "env">, ...args: readonly string[]) {
  return start(project, ["--http", "0", ...args]);
}

/** Starts a server and waits until it prints its address. */
async function start(
  { directory: cwd, env }: Pick<Project, "directory" | "env">,
  args: readonly string[],
) {
  const server = startWink(["mcp", ...args], { cwd, env });
  onTestFinished(() => void server.kill("SIGKILL"));
  const [stdout, stderr] = [collect(server.stdout), collect(server.stderr)];
  const ended = new Promise<number | null>((resolve) => server.once("close", resolve));
  const isReady = args.includes("--json")
    ? () => stdout().includes("\n") && stderr().includes("serving")
    : () => stderr().includes("}\n");
  const failed = ended.then((code) => {
    throw new Error(`The server ended with ${code}: ${stderr()}`);
  });
  // A server that ends later, as it should, is not an error.
  failed.catch(() => {});
  await Promise.race([
    vi.waitFor(() => expect(isReady()).toBe(true), { timeout: 300_000 }),
    failed,
  ]);
  const end = () => {
    server.kill("SIGINT");
    return ended;
  };
  return { stdout, stderr, end };
}
