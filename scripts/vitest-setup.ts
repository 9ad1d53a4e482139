import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { providePythonInterpreter } from "./python-interpreter.js";

/** The user's state directory for all tests of a run. */
export const TEST_STATE = join(tmpdir(), `wink-tests-${process.pid}`);

/** Runs once, before the processes that run the tests are started. */
export async function setup(): Promise<void> {
  await providePythonInterpreter();
}

export async function teardown(): Promise<void> {
  await rm(TEST_STATE, { recursive: true, force: true });
}
