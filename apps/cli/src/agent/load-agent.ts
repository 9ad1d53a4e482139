import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Agent } from "./agent.js";
import { offerOwnPackages } from "./own-packages.js";

/** Reads the agent that a file exports as `agent`. Runs the file: agents are trusted code. */
export async function loadAgent(file: string, cwd: string): Promise<Agent<unknown>> {
  const path = resolve(cwd, file);
  if (!statSync(path, { throwIfNoEntry: false })?.isFile())
    throw new CliError(`There is no file ${file}.`, {
      exitCode: EXIT_CODES.usage,
      hint: "wink init makes an agent to start from.",
    });
  await offerOwnPackages();
  const exported = await importAgent(file, path);
  if (isAgent(exported)) return exported;
  throw new CliError(`${file} does not export an agent.`, {
    exitCode: EXIT_CODES.usage,
    hint: 'It should say: export const agent = defineAgent({ prompt: … }), with defineAgent from "@wink/cli".',
  });
}

async function importAgent(file: string, path: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return memberOf(module, "agent") ?? memberOf(memberOf(module, "default"), "agent");
  } catch (cause) {
    throw new CliError(`${file} cannot be loaded: ${reasonOf(cause)}`, {
      // Nothing tells Node what a lone .js file is written in, and it takes it for the older kind.
      hint: file.endsWith(".js")
        ? 'Name it .mjs or .ts, or put a package.json with "type": "module" beside it.'
        : "Add --debug to see where in the file.",
      cause,
    });
  }
}

/** The first line, or the one below where that only counts: `Transform failed with 1 error:`. */
function reasonOf(cause: unknown): string {
  const [first = "", second] = (cause instanceof Error ? cause.message : String(cause)).split("\n");
  return first.endsWith(":") && second !== undefined ? second : first;
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  // A record of unknowns claims nothing; it only lets the name be looked up.
  return (value as Readonly<Record<string, unknown>>)[name];
}

function isAgent(value: unknown): value is Agent<unknown> {
  return typeof memberOf(value, "prompt") === "function";
}
