// Runs against the compiled package, because a thread cannot load TypeScript on every version of Node.
import { InMemoryRequestQueue } from "@wink/adapters";
import { AgentLoopGroup } from "@wink/adapters/worker";

const queue = new InMemoryRequestQueue();
await queue.add({ requestId: "r", body: 0 });

/** Blocks the thread until the test has seen the report and kills the process. */
function blockTheThread() {
  for (;;);
}

const loops = { main: { queue, handler: async () => blockTheThread() } };
await new AgentLoopGroup({ watchdog: { blockedMs: 200 }, loops }).run();
