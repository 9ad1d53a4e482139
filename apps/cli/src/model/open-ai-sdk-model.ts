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
 * `@openrouter/ai-sdk-provider:some/model`. The package is the one that the user's directory has installed, and it reads
 * its key from the environment.
 */
export async function openAiSdkModel(name: string, cwd: string): Promise<ModelClient> {
  const [, given = "", model = ""] = /^((?:@[^/:]+\/)?[^:]+):(.+)$/.exec(name) ?? [];
  if (model === "")
    throw usage(`Unknown model 'ai-sdk:${name}'.`, "Use ai-sdk:<provider>:<model>.");
  const packageName = given.startsWith("@") ? given : `@ai-sdk/${given}`;
  const provider = Object.values(await load(packageName, cwd)).find(isProvider);
  if (provider === undefined)
    throw usage(
      `${packageName} exports no provider of the AI SDK.`,
      "Use a package such as @ai-sdk/google.",
    );
  const { AiSdkModel } = await import("@wink/adapters/ai-sdk");
  return new AiSdkModel({ model: provider.languageModel(model) });
}

async function load(packageName: string, cwd: string): Promise<object> {
  try {
    const path = createRequire(join(cwd, "agent.js")).resolve(packageName);
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
