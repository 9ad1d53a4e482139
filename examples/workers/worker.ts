// A worker: takes requests from the queue and continues their runs. Start it on as many machines as you like.
import { Run } from "@wink/adapters/run";
import { AgentLoopGroup, openQueue, runRequests } from "@wink/adapters/worker";
import { openStore } from "@wink/store/url";
import { VfsToolsSection } from "@wink/tools";
import { agent, model } from "./agent.js";

const [queueUrl = "", storeUrl = "", worker = ""] = process.argv.slice(2);
const leaseMs = 5_000;
const [queue, store] = [await openQueue(queueUrl, { leaseMs }), await openStore(storeUrl)];

const group = new AgentLoopGroup({
  loops: {
    books: {
      ...{ queue, leaseMs },
      handler: runRequests({
        adapter: model,
        run: ({ requestId }) =>
          Run.open(
            { store, id: requestId },
            {
              ...{ agent, worker },
              section: (session, filesystem) =>
                VfsToolsSection.create({ session, filesystem, key: "workspace" }),
              // A worker that had the run before, and only seemed dead, can commit nothing more.
              files: { takeOver: "always", leaseMs },
            },
          ),
      }),
      onEvent: (event) => {
        process.send?.({ type: event.type, requestId: event.requestId });
      },
    },
  },
});
// The example has ended.
process.once("disconnect", () => void group.close({ graceMs: 0 }));
await group.run(); // until SIGTERM
await queue.close?.();
await store.close();
process.exit();
