import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { httpEditor, program } from "./mcp-clients.test.support.js";

const run = promisify(execFile);
/** The first use installs it, which is slow on a slow network. */
const LIMIT_MS = 300_000;
const NPX = ["-y", "-p", "node@24.21.0", "-p", "@modelcontextprotocol/inspector@2.12.0"];
/**
 * It writes files to the user's home, so that is redirected. npm's own files stay where they are.
 */
const ENV = {
  npm_config_cache: join(homedir(), ".npm"),
  npm_config_userconfig: join(homedir(), ".npmrc"),
  ...process.env,
  HOME: mkdtempSync(join(tmpdir(), "wink-inspector-")),
};
const SKIPPED =
  "the official Inspector cannot be installed; its tests need the npm registry once, for 'npx -y -p @modelcontextprotocol/inspector@2.12.0'";

const programs = await install();
afterAll(() => rmSync(ENV.HOME, { recursive: true }));

describe.runIf(programs.node !== "")("the official Inspector's command line", () => {
  it("uses tools, resources and prompts over stdio (AD-40, AD-41, AD-145)", {
    timeout: 3 * LIMIT_MS,
  }, async () => {
    const { command, args } = program("editor-server.test.program.ts");
    const listed = await inspect(command, ...args, "--method", "tools/list");
    expect(namesOf(listed)).toContain("add_line");
    const call = ["--method", "tools/call", "--tool-name", "add_line", "--tool-arg", "text=one"];
    expect(await inspect(command, ...args, ...call)).toMatchObject({
      structuredContent: { lines: 1 },
    });
    await readTexts("editor", command, ...args);
  });

  it("uses tools, resources and prompts over HTTP, and the answer lists the rolled-back changes (AD-40, AD-41, AD-145)", {
    timeout: 3 * LIMIT_MS,
  }, async () => {
    const { service, content } = await httpEditor();
    const header = `Authorization: Bearer ${service.token}`;
    const at = [service.url.href, "--transport", "http", "--header", header];
    expect(namesOf(await inspect(...at, "--method", "tools/list"))).toContain("break_file");
    const call = ["--method", "tools/call", "--tool-name", "break_file"];
    const answer = await inspect(...at, ...call);
    expect(JSON.stringify(answer)).toContain("Everything it did was undone: changes to 'a.txt'");
    expect(await content()).toBe("");
    await readTexts("wink", ...at);
  });
});

/** Lists and reads resources and prompts. */
async function readTexts(prompt: string, ...target: readonly string[]): Promise<void> {
  const ask = async (...args: readonly string[]) =>
    JSON.stringify(await inspect(...target, "--method", ...args));
  expect(await ask("resources/list")).toContain("wink://files/a.txt");
  expect(await ask("resources/read", "--uri", "wink://snapshots")).toContain("wink://snapshots");
  expect(await ask("prompts/list")).toContain(`"${prompt}"`);
  expect(await ask("prompts/get", "--prompt-name", prompt)).toContain("There is one file");
}

async function inspect(...args: readonly string[]): Promise<unknown> {
  try {
    const options = { env: ENV, timeout: LIMIT_MS };
    return JSON.parse(
      (await run(programs.node, [programs.inspector, "--cli", ...args], options)).stdout,
    );
  } catch (error) {
    // A tool's failure also makes the program fail, but it still prints the answer.
    const { stdout = "" } = error as { readonly stdout?: string };
    if (stdout.startsWith("{")) return JSON.parse(stdout);
    throw error;
  }
}

function namesOf(listed: unknown): readonly string[] {
  const { tools } = listed as { readonly tools: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
}

/** Installs both programs if they are missing, and returns their paths. Another process may be installing them too. */
async function install(
  attempt = 1,
): Promise<{ readonly node: string; readonly inspector: string }> {
  try {
    const args = [...NPX, "-c", "which node mcp-inspector"];
    const { stdout } = await run("npx", args, { env: ENV, timeout: LIMIT_MS });
    const [node = "", inspector = ""] = stdout.trim().split("\n").slice(-2);
    return { node, inspector };
  } catch (error) {
    if (attempt < 3) return await install(attempt + 1);
    if (process.env["WINK_REQUIRE_ALL"]) throw new Error(SKIPPED, { cause: error });
    console.log(`skipped: ${SKIPPED}`);
    return { node: "", inspector: "" };
  }
}
