// A run as one step of a DBOS workflow. The process is killed in the middle, and DBOS starts the step again in another.
// Needs PostgreSQL: pass its URL, or set DBOS_SYSTEM_DATABASE_URL. Exits with an error if a result is not as expected.
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readRun } from "@wink/adapters/run";
import { openStore } from "@wink/store/url";
import { CHAPTERS } from "./agent.js";

const url = process.argv[2] ?? process.env["DBOS_SYSTEM_DATABASE_URL"];
if (url === undefined) {
  console.log("skipped: pass the URL of a PostgreSQL database, such as postgres://localhost/test.");
  process.exit();
}
const id = `book-${Date.now()}`;
const asked: number[] = [];
let result: string | undefined;

function start(onTurn: (child: ChildProcess, turn: number) => void = () => {}): ChildProcess {
  const program = fileURLToPath(new URL("./workflow.ts", import.meta.url));
  const child = fork(program, [url ?? "", id]);
  child.on("message", (message: { readonly turn?: number; readonly result?: string }) => {
    result = message.result ?? result;
    if (message.turn === undefined) return;
    console.log(`process ${child.pid} asks for turn ${message.turn}`);
    asked.push(message.turn);
    onTurn(child, message.turn);
  });
  return child;
}

const first = start((child, turn) => {
  if (turn === 3) child.kill("SIGKILL");
});
await once(first, "exit");
console.log(`process ${first.pid} was killed.`);
const [exitCode] = await once(start(), "exit");
assert.equal(exitCode, 0);
assert.equal(result, `The book has ${CHAPTERS} chapters.`);
// The answer of turn 3 may have been stored before the process was killed.
assert.deepEqual([...new Set(asked)], [0, 1, 2, 3, 4, 5]);
assert(asked.length <= CHAPTERS + 2);

await using store = await openStore(url);
await using run = await readRun({ store, id });
assert.equal(run.turns.length, CHAPTERS + 1);
for (let number = 1; number <= CHAPTERS; number++)
  assert.equal(await read(`chapter-${number}.md`), `# Chapter ${number}\n`);
console.log(`${result} ${run.turns.length} turns are stored, ${asked.length} were requested.`);

async function read(path: string): Promise<string> {
  return new TextDecoder().decode(await run.fileAt(run.lastSequence, path));
}
