import { z } from "zod";
import { saveSnapshot } from "../file.js";
import { defineSlice, Session } from "../index.js";

// snapshot-file.test.ts runs this in a separate process and kills it.
const [path = ""] = process.argv.slice(2);
const Rows = defineSlice({
  name: "rows",
  schema: z.object({ round: z.number(), text: z.string() }),
});
for (let round = 0; ; round++) {
  const session = new Session({ slices: [Rows] });
  session.slice(Rows).seed(Array.from({ length: 2000 }, () => ({ round, text: "x".repeat(100) })));
  await saveSnapshot(path, session);
  if (round === 0) console.log("saved once");
}
