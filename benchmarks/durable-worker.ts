import { setTimeout as sleep } from "node:timers/promises";
import { defineAgent, ModelAdapter } from "@wink/adapters";
import { Run } from "@wink/adapters/run";
import { SqliteRequestQueue } from "@wink/adapters/sqlite";
import { AgentLoopGroup, runRequests } from "@wink/adapters/worker";
import { Prompt, PromptTemplate } from "@wink/prompt";
import { sqliteStore } from "@wink/store/sqlite";
import { VfsToolsSection } from "@wink/tools";

/** A worker of the benchmark: `<file of the store and the queue> <turns> <ms of an answer>`. */
const [file = "", turns = "", delayMs = ""] = process.argv.slice(2);
const store = sqliteStore(file, { synchronous: "normal" });
const queue = new SqliteRequestQueue(file, { synchronous: "normal", pollMs: 10 });
const replies = new SqliteRequestQueue(file, { name: "replies", synchronous: "normal" });
const agent = defineAgent({
  prompt: ({ workspace }) =>
    new Prompt(new PromptTemplate({ ns: "bench", key: "w", sections: [workspace] })).bind({}),
});
const adapter = new ModelAdapter({
  name: "bench",
  async ask({ messages }) {
    await sleep(Number(delayMs));
    const turn = messages.filter(({ role }) => role === "assistant").length;
    const input = { file_path: "note.txt", content: `${turn}`, mode: "overwrite" };
    const call = {
      toolCallId: `c${turn}`,
      toolName: "write_file",
      arguments: JSON.stringify(input),
    };
    const toolCalls = turn < Number(turns) - 1 ? [call] : [];
    const usage = { inputTokens: 1, outputTokens: 1 };
    return { text: "Done.", toolCalls, stopReason: "end", usage };
  },
});
const group = new AgentLoopGroup({
  watchdog: false,
  loops: {
    main: {
      queue,
      replies: () => replies,
      handler: runRequests({
        adapter,
        run: ({ requestId: id }) =>
          Run.open(
            { store, id },
            {
              agent,
              files: { takeOver: "always" },
              section: (session, filesystem) =>
                VfsToolsSection.create({ session, filesystem, key: "workspace" }),
            },
          ),
      }),
    },
  },
});
console.log("ready");
await group.run();
await Promise.all([queue.close(), replies.close(), store.close()]);
