import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Interposer, makeControlFile } from "./interposer.test.support.js";
import { edited } from "./mount-operations.test.support.js";
import { openWorkspace } from "./operations.test.support.js";
import { layOut, type Place } from "./place.test.support.js";
import { change } from "./store-operations.test.support.js";

/**
 * The share of the calls of an apply before it is killed: after the journal is written and before everything is
 * applied.
 */
const SHARE_OF_APPLY = 0.6;

/** Changes files in a transaction and kills this process. */
export async function dieInTransaction(place: Place): Promise<void> {
  const filesystem = await openWorkspace(place);
  await filesystem.begin();
  await change(filesystem);
  process.kill(process.pid, "SIGKILL");
}

/** Kills this process while it applies changes to the host. */
export async function dieInApply(place: Place, interposer: Interposer): Promise<void> {
  const rehearsal = (await edited(place)).changes();
  interposer.arm({ mode: "count", at: 0 });
  const { undoToken = "" } = await rehearsal.apply();
  const { calls } = interposer.disarm();
  await rehearsal.undo(undoToken);
  const changes = (await edited(place)).changes();
  interposer.arm({ mode: "kill", at: Math.floor(calls * SHARE_OF_APPLY) });
  await changes.apply();
}

/**
 * Starts a process, once, that is killed in the middle of its work. Returns a function that restores the files it
 * left.
 *
 * @param names the directories of a place in which it leaves files
 */
export function leftByDeadProcess(
  directory: string,
  command: string,
  names: readonly string[],
): (place: Place) => void {
  const saved = join(directory, command);
  let isSaved = false;
  return (place) => {
    if (!isSaved) {
      layOut(place);
      beKilled(directory, command);
      execFileSync("rm", ["-rf", saved]);
      mkdirSync(saved);
      for (const name of names) execFileSync("cp", ["-a", join(place.top, name), saved]);
      layOut(place);
      isSaved = true;
    }
    for (const name of names) {
      execFileSync("rm", ["-rf", join(place.top, name)]);
      execFileSync("cp", ["-a", join(saved, name), place.top]);
    }
  };
}

function beKilled(directory: string, command: string): void {
  const control = join(directory, "control-of-the-dead");
  makeControlFile(control);
  const program = process.argv[1] ?? "";
  const { signal, stderr } = spawnSync(
    process.execPath,
    [...process.execArgv, program, command, directory],
    { env: { ...process.env, WINK_INTERPOSER_CONTROL: control }, encoding: "utf8" },
  );
  if (signal !== "SIGKILL") throw new Error(`The process was not killed: ${stderr}`);
}
