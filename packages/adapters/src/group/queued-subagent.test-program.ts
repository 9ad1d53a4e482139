import { appendFileSync } from "node:fs";
import { openStore } from "@wink/store/url";
import { openQueue } from "../queues/open-queue.js";
import { killAfter } from "../run/kill-after.test.support.js";
import { filesOf, type Queues, startLoops } from "./queued-subagent.test.support.js";

/**
 * Works on a book and its chapters until there is a reply, or until it is killed: `<url> <queue url> <book> <requests
 * file> <requests until the kill> <ms after that>`. Prints the files of the book.
 */
const [url = "", queueUrl = "", book = "", requests = "", ...kill] = process.argv.slice(2);
const [killAt = 0, afterMs = 0] = kill.map(Number);
let asked = 0;
const store = await openStore(url);
const queue = (name: string) => openQueue(`${queueUrl}#${name}`, { leaseMs: 1_000 });
const queues = {
  ...{ books: await queue(`books-${book}`), chapters: await queue(`chapters-${book}`) },
  answers: await queue(`answers-${book}`),
} as Queues;
await queues.books.add({ requestId: book, body: null, replyTo: "answers" });
const { close } = startLoops({
  ...{ store, queues, leaseMs: 1_000 },
  tool: { onConflict: "keep-both" },
  onAsk: (who, turn) => {
    appendFileSync(requests, `${who} ${turn}\n`);
    if (++asked === killAt) killAfter(afterMs);
  },
});
// Short, so that the next process gets the reply that a killed one has taken.
const reply = await queues.answers.take(1_000, { waitMs: 60_000 });
await close();
process.stdout.write(JSON.stringify({ reply: reply?.body, files: await filesOf(store, book) }));
process.exit(0);
