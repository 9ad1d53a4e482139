import { createInterface } from "node:readline/promises";
import { AnthropicAdapter } from "@wink/adapters/anthropic";
import { OpenAIAdapter } from "@wink/adapters/openai";
import { Budget, Deadline, Prompt } from "@wink/prompt";
import { Session } from "@wink/session";
import { createReviewer } from "./agent.js";

/** Reviews `directory`, answers questions about it until an empty line, and shows the patch. */
export async function chat(directory: string, focus: string): Promise<void> {
  const model = chooseModel();
  if (model === undefined) {
    console.log("Set OPENAI_API_KEY or ANTHROPIC_API_KEY to talk to a real model.");
    return;
  }
  const session = new Session();
  const { template, workspace } = await createReviewer(session, directory);
  const budget = new Budget({ tokens: 500_000 });
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  let history = "";
  console.log(`Talking to ${model.name}. An empty line ends it.\n`);
  for (let text = "Review the code."; text !== ""; text = await terminal.question("\n> ")) {
    const prompt = new Prompt(template).bind({ task: { focus }, question: { text, history } });
    const { output } = await model.evaluate(prompt, {
      ...{ session, budget, deadline: Deadline.in("5m") },
      onEvent(event) {
        if (event.type === "tool-call-finished")
          console.log(`  ${event.result.message.split("\n")[0]}`);
      },
    });
    console.log(`\n${output.summary}`);
    for (const { file, line, severity, problem } of output.findings)
      console.log(`  ${severity.padEnd(6)} ${file}:${line} ${problem}`);
    history += `They: ${text}\nYou: ${output.summary}\n`;
  }
  terminal.close();
  console.log(`\nIn the workspace, and not applied:\n\n${await workspace.changes().toPatch()}`);
}

function chooseModel(): OpenAIAdapter | AnthropicAdapter | undefined {
  const { OPENAI_API_KEY, ANTHROPIC_API_KEY, WINK_MODEL } = process.env;
  if (OPENAI_API_KEY) return new OpenAIAdapter({ model: WINK_MODEL ?? "gpt-5.4" });
  if (ANTHROPIC_API_KEY) return new AnthropicAdapter({ model: WINK_MODEL ?? "claude-sonnet-5-5" });
  return undefined;
}
