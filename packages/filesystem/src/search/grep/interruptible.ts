/** Not imported, because the root entry must load in runtimes without this module. */
const vm = globalThis.process?.getBuiltinModule?.("node:vm");

interface Runner {
  run(task: () => void, timeoutMs: number): void;
}

let runner: Runner | undefined;

/** Whether this runtime can stop a slow regular expression. */
export function canInterrupt(): boolean {
  return vm !== undefined;
}

/**
 * Runs `task` on this thread and stops it after `timeoutMs`.
 *
 * Returns `undefined` when it was stopped; its side effects until then stay. If the runtime cannot interrupt, `task` runs
 * to its end.
 */
export function runInterruptible<T>(
  task: () => T,
  timeoutMs: number,
): { readonly value: T } | undefined {
  if (vm === undefined) return { value: task() };
  runner ??= makeRunner(vm);
  let result: { readonly value: T } | undefined;
  try {
    runner.run(() => {
      result = { value: task() };
    }, timeoutMs);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return undefined;
  }
  return result;
}

/** One context for all tasks, because creating one takes longer than most searches. It only holds the task. */
function makeRunner(module: NonNullable<typeof vm>): Runner {
  const globals: { task: (() => void) | undefined } = { task: undefined };
  const context = module.createContext(globals);
  const script = new module.Script("task()");
  return {
    run(task, timeoutMs) {
      globals.task = task;
      try {
        script.runInContext(context, { timeout: timeoutMs });
      } finally {
        globals.task = undefined;
      }
    },
  };
}

/** The error comes from the context's realm, so `instanceof Error` is `false`. */
function isTimeout(error: unknown): boolean {
  if (typeof error !== "object" || error === null || !("code" in error)) return false;
  return error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
