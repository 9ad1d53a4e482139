import { parseArgs } from "node:util";
import { readCitations } from "./coverage/citations.js";
import { findStatements } from "./coverage/statements.js";
import { listFiles, readText } from "./repository.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strict: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) {
  console.log("Says which promises of specs/*.md no test quotes.\n");
  console.log("  pnpm promises               all of them");
  console.log("  pnpm promises FS SE         promises with these prefixes");
  console.log("  pnpm promises FS --strict   fails when one of them has no test");
} else {
  await report();
}

async function report(): Promise<void> {
  const cited = await readCitations();
  let tested = 0;
  let total = 0;
  for (const page of (await listFiles()).filter((file) => /^specs\/[^/]+\.md$/.test(file))) {
    const promises = findStatements(readText(page)).filter(({ id }) => isWanted(id));
    if (promises.length === 0) continue;
    const untested = promises.filter(({ id }) => !cited.has(id));
    console.log(`${page}  ${promises.length - untested.length} of ${promises.length} have a test`);
    for (const { id, text } of untested) console.log(`   no test: ${id} ${text}`);
    tested += promises.length - untested.length;
    total += promises.length;
  }
  console.log(`\n${tested} of ${total} promises have a test.`);
  if (values.strict && tested < total) process.exitCode = 1;
}

function isWanted(id: string): boolean {
  const [area, number] = id.split("-");
  if (area === undefined || number === undefined) return false;
  return positionals.length === 0 || positionals.includes(area);
}
