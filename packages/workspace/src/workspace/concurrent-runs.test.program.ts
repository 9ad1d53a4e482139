import { Workspace } from "./workspace.js";

/** One run: `<directory> <state directory> <id> <steps>`. Prints each finished step and the outcome. */
async function main([directory = "", stateDirectory = "", id = "", steps]: readonly string[]) {
  await using workspace = await Workspace.open(directory, { stateDirectory, waitMs: 600_000 });
  await using run = await workspace.startRun();
  const { filesystem } = run.workspace;
  for (let step = 0; step < Number(steps); step++) {
    await using transaction = await filesystem.begin();
    await filesystem.write(`${id}/${step}-a.txt`, `${id}\n`);
    if (step === 1) await filesystem.write("shared.txt", `${id}\n`);
    await filesystem.write(`${id}/${step}-b.txt`, `${id}\n`);
    await transaction.commit();
    process.stdout.write(`done ${step}\n`);
  }
  const outcome = await run.finish();
  process.stdout.write(`outcome ${JSON.stringify(outcome)}\n`);
}

if (process.argv[1]?.endsWith("concurrent-runs.mjs")) await main(process.argv.slice(2));
