import { group, select, text } from "@clack/prompts";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";

/** What `wink init` needs to know. */
export interface AgentChoice {
  readonly directory: string;
  readonly model: string;
  readonly backend: string;
}

const MODELS = [
  { value: "scripted", label: "none yet", hint: "a script answers: offline and free" },
  { value: "anthropic", label: "Anthropic" },
  { value: "openai", label: "OpenAI" },
  { value: "openai-chat", label: "another server", hint: "with OpenAI's chat API" },
];

const BACKENDS = [
  { value: "host", label: "on disk", hint: "changes stay until you apply them" },
  { value: "memory", label: "in memory", hint: "fast; changes are saved when the run ends" },
  { value: "podman", label: "in a container", hint: "the agent also has a shell" },
];

/** Asks for the choices that are not on the command line. */
export async function askForAgent(
  io: Io,
  given: { readonly [Name in keyof AgentChoice]: AgentChoice[Name] | undefined },
): Promise<AgentChoice> {
  const at = { input: io.stdin, output: io.stderr };
  const onCancel = () => {
    throw new CliError("Nothing was written.", { exitCode: EXIT_CODES.refused });
  };
  const { directory, provider, name, backend } = await group(
    {
      directory: async () =>
        given.directory ??
        (await text({
          ...at,
          message: "What is the name of the agent and its directory?",
          initialValue: "my-agent",
        })),
      provider: async () =>
        given.model === undefined
          ? await select({ ...at, message: "Which model will it use?", options: MODELS })
          : "scripted",
      name: async ({ results }) =>
        results.provider === "scripted"
          ? ""
          : await text({ ...at, message: "What is the name of the model?", validate: requireText }),
      backend: async () =>
        given.backend ??
        (await select({
          ...at,
          message: "Where will it have its copy of your files?",
          options: BACKENDS,
        })),
    },
    { onCancel },
  );
  const model = given.model ?? (provider === "scripted" ? provider : `${provider}:${name}`);
  return { directory, model, backend };
}

function requireText(value: string | undefined): string | undefined {
  return value?.trim() ? undefined : "Type a name.";
}
