import { queueContract } from "../testing.js";
import { InMemoryRequestQueue } from "./in-memory-request-queue.js";

queueContract("memory", (options) => new InMemoryRequestQueue(options));
queueContract("memory with the system clock", () => new InMemoryRequestQueue(), {
  ...{ clock: "own", leaseMs: 100 },
});
