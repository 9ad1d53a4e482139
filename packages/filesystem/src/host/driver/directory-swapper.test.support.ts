import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/**
 * Changes to the directory it is sent and keeps swapping `sub` with a link, even after the directory was renamed.
 * It uses only its working directory, like a process whose directory is moved.
 */
const PROGRAM = `
const fs = require("node:fs");
const attempt = (body) => { try { body(); } catch {} };
const stay = () => {
  const until = process.hrtime.bigint() + BigInt(Math.floor(Math.random() * 30_000));
  while (process.hrtime.bigint() < until);
};
let isBusy = false;
let victim;
const work = () => {
  for (let turn = 0; turn < 200; turn++) {
    attempt(() => fs.renameSync("sub", "aside"));
    attempt(() => fs.symlinkSync(victim, "sub"));
    stay();
    attempt(() => fs.unlinkSync("sub"));
    attempt(() => fs.renameSync("aside", "sub"));
    stay();
  }
  setImmediate(work);
};
process.on("message", (message) => {
  victim = message.victim;
  process.chdir(message.directory);
  process.send("swapping");
  if (!isBusy) work();
  isBusy = true;
});
process.on("disconnect", () => process.exit());
`;

export interface DirectorySwapper {
  /** Resolves once `sub` in `directory` is being swapped for a link to `victim`. */
  attack(directory: string, victim: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a process that swaps a directory for a link to another place and back, as fast as it can. */
export function startDirectorySwapper(): DirectorySwapper {
  const child = spawn(process.execPath, ["-e", PROGRAM], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = new Promise<never>((_, reject) =>
    child.once("exit", () => reject(new Error("the swapper exited"))),
  );
  exited.catch(() => {});
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    async attack(directory, victim) {
      const answered = once(child, "message");
      child.send({ directory, victim });
      await Promise.race([answered, exited]);
    },
    async stop() {
      child.kill("SIGKILL");
      await exited.catch(() => {});
    },
  };
}

const NAMES = Array.from({ length: 1_500 }, (_, number) => `file-${number}`);

/**
 * Creates a directory with the same names in `sub` as in the victim, so that a redirected removal would find files
 * to delete.
 */
export function furnishDoomed(directory: string): void {
  mkdirSync(join(directory, "sub"), { recursive: true });
  for (const name of NAMES) writeFileSync(join(directory, "sub", name), "inside");
}

export function furnishVictim(victim: string): void {
  mkdirSync(victim, { recursive: true });
  for (const name of NAMES) writeFileSync(join(victim, name), "outside");
}
