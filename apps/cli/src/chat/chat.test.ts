import { expect, it, vi } from "vitest";
import { hasTmux, startInTerminal } from "../terminal/terminal.test.support.js";
import { runWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

/** Repeats what the user said, writes a file on request, and hangs on request. */
const AGENT = `import { defineAgent } from "@wink/cli";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { z } from "zod";
const hang = defineTool({
  name: "hang", description: "Never return.", input: z.object({}), access: "read",
  handler: (_, { signal }) => new Promise((_, reject) => {
    const timer = setInterval(() => {}, 1_000);
    signal.addEventListener("abort", () => { clearInterval(timer); reject(signal.reason); });
  }),
});
export const agent = defineAgent({
  prompt: ({ workspace }) => new Prompt(new PromptTemplate({ ns: "t", key: "chat", sections: [
    new MarkdownSection({ key: "role", title: "Role", template: "Help.", tools: [hang] }), workspace] })).bind({}),
  script: ({ messages }) => {
    const last = messages.at(-1);
    const said = messages.filter(({ role }) => role === "user").map(({ text }) => text).join(" + ");
    if (last?.role === "user" && last.text === "write")
      return { calls: [{ tool: "write_file", input: { file_path: "new.txt", content: "x\\n" } }] };
    if (last?.role === "user" && last.text === "hang") return { calls: [{ tool: "hang" }] };
    return { text: "Heard: " + said };
  },
});
`;

it.runIf(hasTmux())(
  "wink chat keeps the conversation over messages, and after Esc or Ctrl-C in a turn, and in another process (MD-33)",
  async () => {
    const { directory: cwd, env, write } = await makeProject({ "a.txt": "a\n" });
    await write("../agent.mjs", AGENT);
    const terminal = startInTerminal(["chat", "../agent.mjs"], { cwd, env });
    const type = (text: string) => terminal.press(...text, "Enter");
    await terminal.shows("you>");
    type("hello");
    await terminal.shows("Heard: hello");
    type("hang");
    await terminal.shows(/hang\s+\d+ s|⠋|⠙|⠹|⠸/);
    terminal.press("Escape");
    await terminal.shows("Stopped.");
    type("hang");
    await terminal.shows(/Stopped[\s\S]*hang\s+\d+ s/);
    terminal.press("C-c");
    await terminal.shows(/Stopped[\s\S]*Stopped/);
    type("write");
    await terminal.shows("Heard: hello + hang + hang + write");
    terminal.press("Enter");
    await terminal.shows("Apply 1 change");
    terminal.press("y");
    await terminal.shows("exit: 0");

    const again = startInTerminal(["chat", "../agent.mjs", "--resume"], { cwd, env });
    // The last answer is shown again.
    await again.shows(/Heard: hello \+ hang \+ hang \+ write[\s\S]*you>/);
    again.press(..."more", "Enter");
    await again.shows("Heard: hello + hang + hang + write + more");
    again.press("Enter");
    await again.shows("exit: 0");
  },
);

it("wink chat without a terminal is refused (MD-33)", async () => {
  const { directory: cwd, env, write } = await makeProject({});
  await write("../agent.mjs", AGENT);
  const { exitCode, stderr } = await runWink(["chat", "../agent.mjs"], { cwd, env });
  expect(exitCode).toBe(3);
  expect(stderr).toContain("wink chat needs a terminal.");
});
