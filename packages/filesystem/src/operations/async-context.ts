/** A value that follows an async call through its promises, callbacks and timers. */
export interface AsyncContext<Value> {
  getStore(): Value | undefined;
  run<Result>(value: Value, body: () => Result): Result;
}

const AsyncLocalStorage =
  globalThis.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage;

/** `undefined` where the runtime has no async context, such as a browser. Node, Deno and Bun have one. */
export function createAsyncContext<Value>(): AsyncContext<Value> | undefined {
  return AsyncLocalStorage && new AsyncLocalStorage<Value>();
}
