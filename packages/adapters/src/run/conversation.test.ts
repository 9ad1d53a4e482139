import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, MarkdownSection, ok, Prompt, PromptTemplate } from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ScriptedAdapter, type ScriptedAdapterOptions } from "../scripted/scripted-adapter.js";
import { Conversation } from "./conversation.js";
import { Run } from "./run.js";

const PNG = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff);

const look = defineTool({
  name: "look",
  description: "Look.",
  input: z.object({}),
  access: "read",
  effects: "workspace",
  handler: () => ok(undefined, "I looked."),
});

async function setup() {
  const filesystem = new InMemoryFilesystem({ files: { "a.txt": "The content.\n", "b.png": PNG } });
  class Files extends MarkdownSection<"files"> {
    readonly filesystem = filesystem;
  }
  const files = new Files({ key: "files", title: "Files", template: "Help.", tools: [look] });
  const template = new PromptTemplate({ ns: "tests", key: "chat", sections: [files] });
  return { filesystem, prompt: new Prompt(template).bind({}) };
}

const scripted = (turns: ScriptedAdapterOptions["turns"]) => new ScriptedAdapter({ turns });

/** The roles and texts of the messages of a request. */
function shownTo(adapter: ScriptedAdapter, at = -1): readonly string[] {
  return adapter.requests.at(at)?.messages.map(({ role, text }) => `${role}: ${text}`) ?? [];
}

it("evaluate starts with messages: texts, files and images of the workspace, and history (MD-30)", async () => {
  const { prompt } = await setup();
  const adapter = scripted([{ text: "Hello." }]);
  await adapter.evaluate(prompt, {
    session: new Session(),
    messages: [
      "First.",
      { role: "assistant", text: "Yes?" },
      { text: "See:", files: ["a.txt", "b.png"] },
    ],
  });
  expect(adapter.requests[0]?.messages).toEqual([
    { role: "user", text: "First." },
    { role: "assistant", text: "Yes?", toolCalls: [] },
    {
      role: "user",
      text: "See:\n\nThe file 'a.txt':\n\nThe content.\n\n\nThe image 'b.png' is attached.",
      images: [{ mediaType: "image/png", data: Buffer.from(PNG).toString("base64") }],
    },
  ]);
  const missing = { session: new Session(), messages: [{ text: "x", files: ["no.txt"] }] };
  await expect(scripted([]).evaluate(prompt, missing)).rejects.toThrow("'no.txt' cannot be read");
  const wrong = { session: new Session(), messages: [1 as unknown as string] };
  await expect(scripted([]).evaluate(prompt, wrong)).rejects.toThrow("each message is a text");
});

it("a conversation continues with each message, also after one that was aborted (MD-31)", async () => {
  const { prompt } = await setup();
  const session = new Session();
  const stop = new AbortController();
  const adapter = scripted([
    { calls: [{ tool: "look" }] },
    { text: "Seen." },
    () => {
      stop.abort(new Error("stopped"));
      return { calls: [{ tool: "look" }] };
    },
    { text: "Again." },
  ]);
  const chat = await Conversation.open({ adapter, prompt, session });
  expect((await chat.send("Look at it.")).text).toBe("Seen.");
  await expect(chat.send("And now?", { signal: stop.signal })).rejects.toThrow("stopped");
  expect((await chat.send("Go on.")).text).toBe("Again.");
  expect(shownTo(adapter)).toEqual([
    ...["user: Look at it.", "assistant: ", "tool: I looked.", "assistant: Seen."],
    ...["user: And now?", "user: Go on."],
  ]);
});

it("a conversation in a run survives its process, and its fork continues it (MD-32)", async () => {
  const directory = mkdtempSync(join(tmpdir(), "wink-conversation-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const open = async (name: string, turns: ScriptedAdapterOptions["turns"]) => {
    const { filesystem, prompt } = await setup();
    const run = await Run.open(join(directory, name), { filesystem });
    const adapter = scripted(turns);
    return { run, adapter, chat: await Conversation.open({ adapter, prompt, run }) };
  };
  const first = await open("run", [
    { calls: [{ tool: "look" }] },
    { text: "Seen." },
    { text: "Two." },
  ]);
  await first.chat.send("One?");
  await first.chat.send("Two?");
  const before = first.chat.messages;
  await first.run.close();
  await Run.fork(join(directory, "run"), join(directory, "fork"));
  for (const name of ["run", "fork"]) {
    const { run, adapter, chat } = await open(name, [{ text: `Three in ${name}.` }]);
    expect(chat.messages).toEqual(before);
    await chat.send("Three?");
    expect(shownTo(adapter)).toEqual([
      ...["user: One?", "assistant: ", "tool: I looked.", "assistant: Seen."],
      ...["user: Two?", "assistant: Two.", "user: Three?"],
    ]);
    await run.close();
  }
});

it.each([
  [{ text: "x", files: ["no.png"] }, "'no.png' cannot be read"],
  [{ text: "x", files: "a.txt" }, "files must be an array"],
  [{ text: "x", images: {} }, "images must be an array"],
  [{ text: "x", images: [{ mediaType: "image/tiff", data: "" }] }, "an image has a mediaType"],
  [{ role: "tool", text: "x" }, "needs toolCallId and toolName"],
  [{ role: "assistant", text: "x", toolCalls: "no" }, "toolCalls must be an array"],
  [" ", "has no text, no images and no files"],
])(
  "a message such as %j is refused before the model is asked (MD-30)",
  async (message, problem) => {
    const { prompt } = await setup();
    const adapter = scripted([{ text: "Never." }]);
    const messages = [message as string];
    const refused = adapter.evaluate(prompt, { session: new Session(), messages });
    await expect(refused).rejects.toMatchObject({ code: "ARGUMENT_INVALID" });
    await expect(refused).rejects.toThrow(problem);
    expect(adapter.requests).toEqual([]);
  },
);
