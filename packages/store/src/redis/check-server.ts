import { StoreError } from "../engine/store-error.js";
import type { RedisConnection } from "./redis-connection.js";
import { ALL_SCRIPTS } from "./redis-scripts.js";

/** Refuses a server that deletes keys when its memory is full, and warns of one that writes nothing to its disk. */
export async function checkServer(connection: RedisConnection): Promise<void> {
  const [memory, persistence] = await connection.sendAll([
    ["INFO", "memory"],
    ["INFO", "persistence"],
    // So that the first call of each script needs no second round trip.
    ...ALL_SCRIPTS.map(({ text }) => ["SCRIPT", "LOAD", text]),
  ]);
  const policy = /^maxmemory_policy:(\S+)/m.exec(String(memory))?.[1];
  if (policy !== undefined && policy !== "noeviction")
    throw new StoreError(
      "EVICTING",
      "store 'redis'",
      `its maxmemory-policy is ${policy}, so it deletes data when its memory is full. Set it to noeviction`,
    );
  if (/^aof_enabled:0/m.test(String(persistence)))
    globalThis.process?.emitWarning?.(
      "store 'redis': appendonly is off, so commits are lost when the server stops. Set appendonly to yes.",
      { code: "WINK_STORE_APPENDONLY" },
    );
}
