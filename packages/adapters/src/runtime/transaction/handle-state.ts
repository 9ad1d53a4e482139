import {
  type FileStat,
  type Filesystem,
  FilesystemError,
  type WriteResult,
} from "@wink/filesystem";
import { TransactionQueue } from "@wink/filesystem/internal";
import { SessionError } from "@wink/session";
import { AdapterError } from "../../error/adapter-error.js";

/** For the author of the tool. The model does not read it. */
const READ_ONLY_TOOL = 'Declare access: "write" in defineTool to change files.';

/** A resource that the handler left open: a stream or a transaction. */
export interface LeftOpen {
  discard(): Promise<unknown>;
}

/** The real path of a file, and its revision if the call has written it. */
type SeenFile = Pick<FileStat, "path" | "revision">;

/** The signal that can cancel a call. */
export interface CallSignal {
  /** `undefined` if nothing can cancel the call. */
  readonly signalIfAny: AbortSignal | undefined;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The state that the handles of one call share, with the streams opened through them. */
export class HandleState<Files extends Filesystem = Filesystem> {
  readonly target: Files;
  readonly #tool: string;
  /** Nothing may change files before the transaction has begun. */
  mayChangeFiles = false;
  /** Policies may change the session at any time, a handler only if its access says so. */
  mayChangeSession = true;
  bytesWritten = 0;
  /** How many operations have changed files. */
  operations = 0;
  /** The paths whose permissions were set. */
  readonly chmodded = new Set<string>();
  /** Created on first use, because most calls only read one file. */
  #touched: Set<string> | undefined;
  #seen: Map<string, SeenFile> | undefined;
  #running: Set<Promise<unknown>> | undefined;
  #openResources: Set<LeftOpen> | undefined;
  #transactions: TransactionQueue | undefined;
  readonly #limit: CallSignal;
  #revoked = false;

  constructor(target: Files, limit: CallSignal, tool: string) {
    this.target = target;
    this.#limit = limit;
    this.#tool = tool;
  }

  /** The paths that the call changed, as the call wrote them. */
  get touched(): ReadonlySet<string> {
    return this.#touched ?? NOTHING;
  }

  /** What the filesystem reported about a path, for a path that the handler used. */
  seen(path: string): SeenFile | undefined {
    const found = this.#seen?.get(path);
    // The handler may have written the file under another spelling of its path.
    return (found && this.#seen?.get(found.path)) ?? found;
  }

  get revoked(): boolean {
    return this.#revoked;
  }

  /** Whether no operation is running and no resource is open. */
  get isIdle(): boolean {
    return (this.#running?.size ?? 0) + (this.#openResources?.size ?? 0) === 0;
  }

  /** Runs one operation, unless the call has ended. */
  run<T>(operation: string, path: string, body: () => Promise<T>): Promise<T> {
    if (this.#revoked) return refused(over(operation, path));
    const running = body();
    this.#running ??= new Set();
    const pending = this.#running.add(running);
    // Handle the rejection here too, because a cancelled handler may never do it.
    const done = () => pending.delete(running);
    running.then(done, done);
    return running;
  }

  /** Runs an operation that changes `paths`. */
  change<T>(operation: string, paths: readonly string[], body: () => Promise<T>): Promise<T> {
    return this.#change(operation, String(paths[0]), paths, body);
  }

  /** Records a write that has succeeded. */
  written(given: string, { path, revision, bytesWritten }: WriteResult): void {
    this.bytesWritten += bytesWritten;
    this.#seen ??= new Map();
    this.#seen.set(given, { path, revision }).set(path, { path, revision });
  }

  /** Records the real path of a file, and returns what the filesystem reported about it. */
  async resolved<T extends { readonly path: string }>(given: string, work: Promise<T>): Promise<T> {
    const result = await work;
    const { path } = result;
    if (given === path) return result;
    this.#seen ??= new Map();
    if (!this.#seen.has(given)) this.#seen.set(given, { path, revision: undefined });
    return result;
  }

  /** Throws if the call has ended, or if its tool may not change the session. */
  requireSessionChange(): void {
    if (this.#revoked)
      throw new SessionError(
        "SESSION_CLOSED",
        "change",
        "the tool call that owns this session handle has ended",
      );
    if (!this.mayChangeSession)
      throw new AdapterError("SESSION_READ_ONLY", {
        subject: `tool '${this.#tool}'`,
        reason: "its access is 'read', so it cannot change the session. Declare access 'session'",
      });
  }

  /** Runs an operation that only prepares a change. It is refused wherever a change would be. */
  prepare<T>(operation: string, path: string, body: () => Promise<T>): Promise<T> {
    return this.#change(operation, path, [], body);
  }

  /** The handler's uses of `transact`, which its other changes wait for. */
  get transactions(): TransactionQueue {
    this.#transactions ??= new TransactionQueue();
    return this.#transactions;
  }

  /** Like `prepare`, for the beginning of a transaction, which must not wait for its own end. */
  prepareTransaction<T>(body: () => Promise<T>): Promise<T> {
    return this.#change("transact", ".", [], body, { waits: false });
  }

  /** Returns the caller's options with the call's signal added. */
  within<Options extends { readonly signal?: AbortSignal | undefined } | undefined>(
    options: Options,
  ): Options {
    const given = options?.signal;
    const own = this.#limit.signalIfAny;
    if (own === undefined || given === own) return options;
    const signal = given === undefined ? own : AbortSignal.any([given, own]);
    // The spread has all of the caller's options, and every options type has `signal`.
    return { ...options, signal } as Options;
  }

  keepOpen(left: LeftOpen): void {
    this.#openResources ??= new Set();
    this.#openResources.add(left);
  }

  closed(left: LeftOpen): void {
    this.#openResources?.delete(left);
  }

  /** Throws `EBADF` if the call has ended. */
  requireOpen(operation: string, path: string): void {
    if (this.#revoked) throw over(operation, path);
  }

  /** Refuses every later operation. */
  revoke(): void {
    this.#revoked = true;
    this.#transactions?.stop(over("transact", "."));
  }

  /** Waits for running operations, then closes what was left open, last opened first. */
  async settle(): Promise<void> {
    await this.#settleRunning();
    for (const left of [...(this.#openResources ?? [])].reverse()) await left.discard();
    this.#openResources?.clear();
  }

  #change<T>(
    operation: string,
    path: string,
    paths: readonly string[],
    body: () => Promise<T>,
    { waits = true } = {},
  ): Promise<T> {
    if (!this.mayChangeFiles && !this.#revoked)
      return refused(new FilesystemError("EROFS", { operation, path, advice: READ_ONLY_TOOL }));
    return this.run(operation, path, async () => {
      const turn = waits ? this.#transactions?.enter() : undefined;
      if (turn !== undefined) {
        await turn;
        this.requireOpen(operation, path);
      }
      const result = await body();
      // After the operation, because a refused operation has changed nothing.
      if (paths.length > 0) this.operations++;
      if (operation === "chmod") this.chmodded.add(path);
      this.#touched ??= new Set();
      for (const each of paths) this.#touched.add(String(each));
      return result;
    });
  }

  async #settleRunning(): Promise<void> {
    if (this.#running !== undefined && this.#running.size > 0)
      await Promise.allSettled(this.#running);
  }
}

function over(operation: string, path: string): FilesystemError {
  const reason = "the tool call that owns this handle has ended";
  return new FilesystemError("EBADF", { operation, path, reason });
}

/** A rejection that does not count as unhandled. */
function refused(error: unknown): Promise<never> {
  const rejection = Promise.reject(error);
  rejection.catch(() => {});
  return rejection;
}
