import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ModelClient } from "@wink/adapters";
import type { AiSdkLanguageModel } from "@wink/adapters/ai-sdk";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

/** A provider of the AI SDK, such as `google`. */
interface Provider {
  languageModel(name: string): AiSdkLanguageModel;
}

/**
 * Opens a model of the AI SDK by `google:gemini-3-pro`, or by the package's whole name:
 * `@openrouter/ai-sdk-provider:some/model`, `ollama-ai-provider-v2:qwen3`. The package is the one that the user's directory has installed, and it reads
 * its key from the environment.
 */
export async function openAiSdkModel(name: string, cwd: string): Promise<ModelClient> {
  const [, given = "", model = ""] = /^((?:@[^/:]+\/)?[^:]+):(.+)$/.exec(name) ?? [];
  if (model === "")
    throw usage(`Unknown model 'ai-sdk:${name}'.`, "Use ai-sdk:<provider>:<model>.");
  const official = given.startsWith("@") ? given : `@ai-sdk/${given}`;
  const packageName = [official, given].find((each) => isInstalled(each, cwd)) ?? official;
  const provider = Object.values(await load(packageName, cwd)).find(isProvider);
  if (provider === undefined)
    throw usage(
      `${packageName} exports no provider of the AI SDK.`,
      "Use a package such as @ai-sdk/google.",
    );
  const { AiSdkModel } = await import("@wink/adapters/ai-sdk");
  return new AiSdkModel({ model: provider.languageModel(model) });
}

function isInstalled(packageName: string, cwd: string): boolean {
  return entryOf(packageName, cwd) !== undefined;
}

/** The file that an import of the package loads. `undefined` if the package is not installed. */
function entryOf(packageName: string, cwd: string): string | undefined {
  const require = createRequire(join(cwd, "agent.js"));
  try {
    return require.resolve(packageName);
  } catch {
    // Node cannot resolve a package that exports only modules from another directory.
    const folders = require.resolve.paths(packageName) ?? [];
    const folder = folders
      .map((each) => join(each, packageName))
      .find((each) => existsSync(join(each, "package.json")));
    if (folder === undefined) return undefined;
    const {
      exports,
      module,
      main = "index.js",
    } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const file = moduleIn(exports?.["."] ?? exports) ?? module ?? main;
    return join(folder, file);
  }
}

/** The file for `import` in the exports of a package. */
function moduleIn(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  const { import: module, default: fallback } = exports as Readonly<Record<string, unknown>>;
  return moduleIn(module) ?? moduleIn(fallback);
}

async function load(packageName: string, cwd: string): Promise<object> {
  try {
    const path = entryOf(packageName, cwd);
    if (path === undefined) throw new Error(`${packageName} was not found`);
    return (await import(pathToFileURL(path).href)) as object;
  } catch (cause) {
    throw new CliError(`The package ${packageName} is not installed in ${cwd}.`, {
      exitCode: EXIT_CODES.unavailable,
      hint: `Run: npm install ${packageName}`,
      cause,
    });
  }
}

/** A package exports one provider with its default settings, next to functions that create others. */
function isProvider(value: unknown): value is Provider {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  return "languageModel" in value && typeof value.languageModel === "function";
}

function usage(message: string, hint: string): CliError {
  return new CliError(message, { exitCode: EXIT_CODES.usage, hint });
}
