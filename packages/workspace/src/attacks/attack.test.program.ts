/** Attacks operations in this process and reports each trial as a line of JSON. Started by `runAttacks`. */
import { hash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { dieInApply, dieInTransaction, leftByDeadProcess } from "./dead-process.test.support.js";
import { Interposer, TRAITS } from "./interposer.test.support.js";
import { mountOperations } from "./mount-operations.test.support.js";
import { NAIVE_OPERATIONS } from "./naive-operations.test.support.js";
import { FILE_OPERATIONS } from "./operations.test.support.js";
import { placeAt } from "./place.test.support.js";
import type { Job, Line } from "./run-attacks.test.support.js";
import { storeOperations } from "./store-operations.test.support.js";
import { ATTACKS, Trials, type Undisturbed } from "./trials.test.support.js";

/** Far more calls than any operation makes here, but an endless loop reaches it soon. */
const MAX_CALLS = 20_000;

const [command = "", directory = "", job = ""] = process.argv.slice(2);
const place = placeAt(join(directory, "place"));
mkdirSync(place.temporary, { recursive: true });
process.env["TMPDIR"] = place.temporary;
const interposer = new Interposer(
  process.env["WINK_INTERPOSER_CONTROL"] ?? "",
  place.top,
  MAX_CALLS,
);

if (command === "die-in-transaction") await dieInTransaction(place);
else if (command === "die-in-apply") await dieInApply(place, interposer);
else await attackAll(JSON.parse(job));

async function attackAll({
  kind,
  from,
  perOperation,
  seed,
  only,
  share,
  isNaive,
}: Job): Promise<void> {
  const trials = new Trials(place, interposer);
  const attacks = ATTACKS[kind];
  const operations = isNaive
    ? NAIVE_OPERATIONS
    : [
        ...FILE_OPERATIONS,
        ...storeOperations(leftByDeadProcess(directory, "die-in-transaction", ["files", "store"])),
        ...mountOperations(leftByDeadProcess(directory, "die-in-apply", ["mounted", "state"])),
      ];
  let trial = "";
  process.on("unhandledRejection", (error) => {
    report({ type: "failed", trial, at: 0, hit: "", problems: [`unhandled: ${error}`] });
  });
  let attacked = 0;
  for (const [operationIndex, operation] of operations.entries()) {
    if (operationIndex % share.of !== share.index || !operation.name.includes(only)) continue;
    attacked++;
    if (operationIndex < from.operation) continue;
    const undisturbed = knownOnce((traits) => trials.undisturbed(operation, traits));
    const random = randomNumbers(seed * 1_000 + operationIndex);
    const sample =
      perOperation === "all"
        ? undefined
        : Array.from({ length: perOperation }, () => choose(random));
    for (const [attackIndex, attack] of attacks.entries()) {
      const isBefore = operationIndex === from.operation && attackIndex < from.attack;
      if (isBefore) continue;
      const isFirst = operationIndex === from.operation && attackIndex === from.attack;
      const usual = await undisturbed(attack.kind === "fault" ? attack.traits : TRAITS.moment);
      const moments = sample?.filter(([chosen]) => chosen === attackIndex);
      const chosen = moments?.map(([, share]) => 1 + Math.floor(share * usual.calls));
      for (const at of momentsFrom(isFirst ? from.at : 1, chosen)) {
        trial = `${operation.name}: ${attack.name}`;
        report({ type: "trying", operation: operationIndex, attack: attackIndex, at, trial });
        const { problems, hit, fired } = await trials.run(operation, attack, at, usual);
        if (problems.length > 0) report({ type: "failed", trial, at, hit, problems });
        // The operation makes fewer calls than that, so every moment was tried.
        if (fired === 0 && chosen === undefined) break;
      }
    }
  }
  report({ type: "done", operations: attacked, attacks: attacks.length });
  process.exit();

  function choose(random: () => number): readonly [number, number] {
    return [Math.floor(random() * attacks.length), random()];
  }
}

/** Numbers from 0 (inclusive) to 1 (exclusive) that are the same for the same seed. */
function randomNumbers(seed: number): () => number {
  let count = 0;
  return () => Number.parseInt(hash("sha256", `${seed} ${count++}`).slice(0, 12), 16) / 2 ** 48;
}

/** Yields the chosen moments, or all of them. The caller stops after the last one. */
function* momentsFrom(start: number, chosen: readonly number[] | undefined): Iterable<number> {
  if (chosen !== undefined) {
    yield* [...new Set(chosen)].sort((a, b) => a - b).filter((at) => at >= start);
    return;
  }
  for (let at = start; ; at++) yield at;
}

function knownOnce(find: (traits: number) => Promise<Undisturbed>) {
  const known = new Map<number, Promise<Undisturbed>>();
  return (traits: number): Promise<Undisturbed> => {
    const found = known.get(traits) ?? find(traits);
    known.set(traits, found);
    return found;
  };
}

function report(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
