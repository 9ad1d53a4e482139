import { expect, it } from "vitest";
import {
  DIFFERENTIAL_OPTIONS,
  runConcurrently,
  runDifferential,
} from "../testing/differential/run-differential.test.support.js";
import { engines, sqlite } from "./engines.test.support.js";
import { StoredFilesystem } from "./stored-filesystem.js";

// WINK_SEED repeats a run. WINK_STORED_OPS sets the number of operations on each engine.
const seed = Number(process.env["WINK_SEED"] ?? Math.floor(Math.random() * 2 ** 32));
const operations = Number(process.env["WINK_STORED_OPS"] ?? 800);
/** Not a divisor of the number of changes that a manifest waits for. */
const REOPEN_EVERY = 97;

it.each(engines)(
  "a filesystem in $name behaves like the reference model, also when it is opened again (B59, STO-41)",
  { timeout: 3_600_000 },
  async ({ name, start }) => {
    console.log(`differential: ${name}, ${operations} operations, WINK_SEED=${seed}`);
    await using engine = await start();
    const open = () => StoredFilesystem.open(engine.store, "files", DIFFERENTIAL_OPTIONS);
    let files = await open();
    const { divergence, outcomes } = await runDifferential(files, seed, operations, {
      every: REOPEN_EVERY,
      async reopen() {
        await files.close();
        files = await open();
        return files;
      },
    });
    await files.close();
    expect(divergence).toBeUndefined();
    expect(outcomes["ok"]).toBeGreaterThan(operations / 10);
  },
);

it("concurrent changes of stored files have the same result as sequential ones (FS-71, STO-41)", async () => {
  await using engine = await sqlite.start();
  await using files = await StoredFilesystem.open(engine.store, "files", DIFFERENTIAL_OPTIONS);
  expect(await runConcurrently(files, seed, 300)).toBeUndefined();
});
