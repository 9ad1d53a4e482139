import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Agent, defineAgent, isAdapterError } from "@wink/adapters";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import { installAgentHooks } from "./agent-hooks.js";

/** Loads the `agent` export of a file. It executes the file, so agents are trusted code. */
export async function loadAgent(file: string, cwd: string): Promise<Agent<unknown>> {
  const path = resolve(cwd, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new CliError(`File ${file} does not exist.`, {
      exitCode: EXIT_CODES.usage,
      hint: "`wink init` makes an agent to start from.",
    });
  await installAgentHooks({ isTypeScript: /\.m?ts$/.test(path) });
  const exported = await importAgent(file, path);
  if (exported === undefined)
    throw new CliError(`${file} does not export an agent.`, {
      exitCode: EXIT_CODES.usage,
      hint: 'It should say: export const agent = defineAgent({ prompt: … }), with defineAgent from "@wink/cli".',
    });
  return checkAgent(file, exported);
}

/** The file may export an agent without `defineAgent`. */
function checkAgent(file: string, exported: unknown): Agent<unknown> {
  try {
    return defineAgent(exported as Agent<unknown>);
  } catch (error) {
    throw isAdapterError(error) ? new CliError(`${file}: ${error.reason}`) : error;
  }
}

async function importAgent(file: string, path: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return memberOf(module, "agent") ?? memberOf(memberOf(module, "default"), "agent");
  } catch (cause) {
    throw new CliError(`${file} cannot be loaded: ${reasonOf(cause)}`, {
      hint: hintFor(file, cause),
      cause,
    });
  }
}

function hintFor(file: string, cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "ERR_UNKNOWN_FILE_EXTENSION") return "Name the agent file .ts to import TypeScript.";
  // Without a package.json, Node loads a .js file as CommonJS.
  if (file.endsWith(".js"))
    return 'Name it .mjs or .ts, or put a package.json with "type": "module" next to it.';
  return "Add --debug to see where in the file.";
}

/**
 * The first line of the message, or the second one if the first is only a count: `Transform failed
 * with 1 error:`.
 */
function reasonOf(cause: unknown): string {
  const [first = "", second] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return first.endsWith(":") && second !== undefined ? second : first;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  // The cast only allows the lookup by name.
  return (value as Readonly<Record<string, unknown>>)[name];
}
