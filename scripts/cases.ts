import { parseArgs } from "node:util";
import { type CaseGroup, caseGroups, idsOf } from "./coverage/catalogue.js";
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
  console.log("Says which hostile cases of specs/cases have a test that names them.\n");
  console.log("  pnpm cases               all groups");
  console.log("  pnpm cases A E           these groups");
  console.log("  pnpm cases A --strict    fails when a case of the group has no line or no test");
} else {
  await report(choose(positionals));
}

async function report(groups: readonly CaseGroup[]): Promise<void> {
  const cited = await readCitations();
  const texts = await readCases();
  let tested = 0;
  let total = 0;
  let unwritten = 0;
  for (const group of groups) {
    const ids = idsOf(group);
    const withTest = ids.filter((id) => cited.has(id));
    const withoutLine = ids.filter((id) => !texts.has(id));
    console.log(`${group.letter}  ${withTest.length} of ${ids.length} have a test`);
    if (withTest.length > 0) console.log(`   tested: ${withTest.join(" ")}`);
    if (withoutLine.length > 0) console.log(`   not in specs/cases: ${withoutLine.join(" ")}`);
    for (const id of ids)
      if (!cited.has(id) && texts.has(id)) console.log(`   no test: ${id} ${texts.get(id)}`);
    tested += withTest.length;
    total += ids.length;
    unwritten += withoutLine.length;
  }
  console.log(`\n${tested} of ${total} cases have a test, ${unwritten} are not in specs/cases.`);
  if (values.strict && (tested < total || unwritten > 0)) process.exitCode = 1;
}

async function readCases(): Promise<ReadonlyMap<string, string>> {
  const pages = (await listFiles()).filter((file) => /^specs\/cases\/.*\.md$/.test(file));
  const statements = pages.flatMap((page) => findStatements(readText(page)));
  return new Map(statements.map(({ id, text }) => [id, text]));
}

function choose(letters: readonly string[]): readonly CaseGroup[] {
  const unknown = letters.filter((letter) => !caseGroups.some((group) => group.letter === letter));
  if (unknown.length > 0) {
    console.error(`No group is named ${unknown.join(", ")}; there are A to K.`);
    process.exit(2);
  }
  return caseGroups.filter(({ letter }) => letters.length === 0 || letters.includes(letter));
}
