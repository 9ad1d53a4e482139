import { providePythonInterpreter } from "./python-interpreter.js";

/** Runs once, before the processes that run the tests are started. */
export async function setup(): Promise<void> {
  await providePythonInterpreter();
}
