import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";
import { AgentLoopGroup } from "./agent-loop-group.js";

const queue = new InMemoryRequestQueue<number>();
await queue.add({ requestId: "r", body: 0 });

/** Blocks the thread until the watchdog had time to see it. */
function blockTheThread(): void {
  const endMs = Date.now() + 3_000;
  while (Date.now() < endMs);
}

const group = new AgentLoopGroup({
  watchdog: { blockedMs: 200 },
  loops: {
    main: {
      queue,
      handler: async () => {
        // The watchdog's thread needs a moment to start.
        await new Promise((resolve) => setTimeout(resolve, 500));
        blockTheThread();
        setImmediate(() => void group.close());
      },
    },
  },
});
await group.run();
