import { InMemoryRequestQueue } from "../worker/in-memory-request-queue.js";
import { queueContract } from "./queue-contract.js";

queueContract("memory", (options) => new InMemoryRequestQueue(options));
