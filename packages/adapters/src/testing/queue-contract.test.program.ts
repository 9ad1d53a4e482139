import { describe, it } from "node:test";
import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";
import { queueContract } from "./queue-contract.js";

queueContract("memory", (options) => new InMemoryRequestQueue(options), {
  runner: { describe, it },
});
