import { postgresStore } from "../postgres/postgres-store.js";
import { redisStore } from "../redis/redis-store.js";
import { sqliteStore } from "../sqlite/sqlite-store.js";

/** Commits numbers to a head until it is killed, and prints each one that was acknowledged. */
const [location = "", first = "1"] = process.argv.slice(2);
const open = location.startsWith("redis:")
  ? redisStore
  : location.startsWith("postgres:")
    ? postgresStore
    : sqliteStore;
const store = open(location);
try {
  const writer = await store.open("a", { takeOver: "always", leaseMs: 600_000 });
  for (let number = Number(first); ; number++) {
    await writer.commit({
      events: [Buffer.from(String(number))],
      state: Buffer.from(String(number)),
    });
    process.stdout.write(`${number}\n`);
  }
} catch (error) {
  process.stdout.write(`error ${(error as { code?: string }).code}\n`);
}
process.exit(0);
