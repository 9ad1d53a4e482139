import { existsSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CliError } from "../cli-error.js";
import { EXIT_CODES } from "../exit-codes.js";
import type { Agent } from "./agent.js";

/** Reads the agent that a file exports as `agent`. Runs the file: agents are trusted code. */
export async function loadAgent(file: string, cwd: string): Promise<Agent<unknown>> {
  const path = resolve(cwd, file);
  if (!existsSync(path))
    throw new CliError(`There is no file ${file}.`, {
      exitCode: EXIT_CODES.usage,
      hint: "wink init makes an agent to start from.",
    });
  offerOwnPackages();
  const exported = await importAgent(file, path);
  if (isAgent(exported)) return exported;
  throw new CliError(`${file} does not export an agent.`, {
    exitCode: EXIT_CODES.usage,
    hint: 'It should say: export const agent = defineAgent({ prompt: … }), with defineAgent from "@wink/cli".',
  });
}

let offered = false;

/** Makes `@wink/*` and zod resolve for agents that lie where nothing is installed. */
function offerOwnPackages(): void {
  if (offered) return;
  offered = true;
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  register(new URL("../../bin/resolve-own-packages.js", import.meta.url), {
    data: { home: import.meta.url, index: new URL(`../index.${extension}`, import.meta.url).href },
  });
}

async function importAgent(file: string, path: string): Promise<unknown> {
  try {
    const module: unknown = await import(pathToFileURL(path).href);
    return memberOf(module, "agent") ?? memberOf(memberOf(module, "default"), "agent");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] : String(cause);
    throw new CliError(`${file} cannot be loaded: ${reason}`, {
      hint: "Add --debug to see where in the file.",
      cause,
    });
  }
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  // A record of unknowns claims nothing; it only lets the name be looked up.
  return (value as Readonly<Record<string, unknown>>)[name];
}

function isAgent(value: unknown): value is Agent<unknown> {
  return typeof memberOf(value, "prompt") === "function";
}
