import { z } from "zod";
import { appendAll, defineEvent, defineSlice } from "../index.js";
import { SessionLog } from "../jsonl.js";

// session-log.test.ts runs this in a separate process and kills it.
const [path = ""] = process.argv.slice(2);
const Item = z.object({ n: z.number(), text: z.string() });
const Add = defineEvent("item.add", Item);
const Items = defineSlice({ name: "items", schema: Item, reducers: (on) => [on(Add, appendAll)] });

const { session } = await SessionLog.open(path, { slices: [Items] });
console.log("opened");
for (;;) {
  for (let count = 0; count < 20; count++) {
    const n = session.slice(Items).size + 1;
    session.dispatch(Add({ n, text: "x".repeat(n % 500) }));
  }
  await new Promise((resolve) => setImmediate(resolve));
}
