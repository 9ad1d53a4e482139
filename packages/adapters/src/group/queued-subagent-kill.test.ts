import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@wink/store/url";
import { beforeAll, expect, it } from "vitest";
import {
  KilledProgram,
  type KillPlace,
  PLACES,
  randomFrom,
} from "../run/kill-places.test.support.js";
import { readRun } from "../run/read-run.js";

/** WINK_QUEUED_KILLS=50 is the long form, which also has the servers. */
const KILLS = Number(process.env["WINK_QUEUED_KILLS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 2 : 1));
const IS_LONG = process.env["WINK_QUEUED_KILLS"] !== undefined;
const SEED = Number(process.env["WINK_SEED"] ?? Date.now() % 1_000_000);
const random = randomFrom(SEED);
const WANTED = ["SQLite", ...(IS_LONG ? ["PostgreSQL", "Redis"] : [])];
/** How often an undisturbed run and its subagents ask the model. */
const REQUESTS = 10;
/** Longer than what follows a request. */
const MAX_MS = 100;

const program = new KilledProgram();
beforeAll(() => program.bundle(new URL("./queued-subagent.test-program.ts", import.meta.url)));

it.for(WANTED.filter((name) => name in PLACES))(
  "a run in %s and its queued subagents whose workers are killed have the files and the requests of an undisturbed one (RUN-24)",
  { timeout: 120_000 + KILLS * 20_000 },
  async (name) => {
    await using place = (await PLACES[name]?.(program.directory)) as KillPlace;
    let kills = 0;
    for (let round = 0; kills < KILLS; round++) {
      const where = `${name}-${round}, seed ${SEED}`;
      const requests = join(program.directory, `requests-${name}-${round}`);
      let [killed, output] = [0, ""];
      while (output === "") {
        const at = kills < KILLS ? [1 + random(REQUESTS), 1 + random(MAX_MS)] : [];
        const args = [place.url, place.url, `book-${round}`, requests, ...at.map(String)];
        const ended = await program.run(args);
        output = ended.output;
        expect(ended.errors, where).toBe("");
        if (ended.isKilled) killed++;
        kills += ended.isKilled ? 1 : 0;
      }
      const { reply, files } = JSON.parse(output);
      expect(reply, where).toMatchObject({
        outcome: "done",
        result: { text: "The book is done." },
      });
      const { "notes.txt": kept, "notes.txt.subagent": other, ...rest } = files;
      // Both write this file, and the one that ends first has it.
      expect([kept, other].sort(), where).toEqual(["Land 0\nLand 1\n", "Sea 0\nSea 1\n"]);
      expect(rest, where).toEqual({
        "book.md": "Book\nChapters\nEnd\n",
        ...{ "Sea.md": "# Sea\nThe Sea.\n", "Land.md": "# Land\nThe Land.\n" },
      });
      const asked = readFileSync(requests, "utf8").trim().split("\n");
      expect(new Set(asked).size, where).toBe(REQUESTS);
      // A request whose answer was not stored is sent again, by each of the two runs that were active.
      expect(asked.length - REQUESTS, where).toBeLessThanOrEqual(3 * killed);
      await using store = await openStore(place.url);
      using run = await readRun({ store, id: `book-${round}` });
      expect(run.turns, where).toHaveLength(4);
      for (const child of await run.children()) {
        using reader = await child.open();
        expect(reader.turns, where).toHaveLength(3);
      }
    }
  },
);
