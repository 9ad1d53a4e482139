import { type Filesystem, FilesystemError } from "@wink/filesystem";

/** Something that the handler left open: a stream, or a transaction of its own. */
export interface LeftOpen {
  giveUp(): Promise<unknown>;
}

/** What can end a call from outside. */
export interface CallSignal {
  /** `undefined` where nothing can. */
  readonly signalIfAny: AbortSignal | undefined;
}

const NOTHING: ReadonlySet<string> = new Set();
const OVER = "the tool call that this was given to is over";

/** What is shared by a filesystem handle and the streams that were opened through it. */
export class HandleState<Files extends Filesystem = Filesystem> {
  readonly target: Files;
  readonly readOnly: boolean;
  bytesWritten = 0;
  /** These are made when there is something to put in: most calls read one file. */
  #touched: Set<string> | undefined;
  #underWay: Set<Promise<unknown>> | undefined;
  #leftOpen: Set<LeftOpen> | undefined;
  readonly #limit: CallSignal;
  #revoked = false;

  constructor(target: Files, limit: CallSignal, readOnly: boolean) {
    this.target = target;
    this.#limit = limit;
    this.readOnly = readOnly;
  }

  /** The paths that the call changed, as it named them. */
  get touched(): ReadonlySet<string> {
    return this.#touched ?? NOTHING;
  }

  get revoked(): boolean {
    return this.#revoked;
  }

  /** Whether nothing is under way and nothing was left open. */
  get isIdle(): boolean {
    return (this.#underWay?.size ?? 0) + (this.#leftOpen?.size ?? 0) === 0;
  }

  /** Runs one operation, unless the call is over. */
  run<T>(operation: string, path: string, body: () => Promise<T>): Promise<T> {
    if (this.#revoked)
      return refused(new FilesystemError("EBADF", { operation, path, reason: OVER }));
    const running = body();
    this.#underWay ??= new Set();
    const underWay = this.#underWay.add(running);
    // Handled here too: a handler that was given up may never look at it.
    const done = () => underWay.delete(running);
    running.then(done, done);
    return running;
  }

  /** Runs an operation that changes `paths`. */
  change<T>(operation: string, paths: readonly string[], body: () => Promise<T>): Promise<T> {
    return this.#change(operation, String(paths[0]), paths, body);
  }

  /** Runs an operation that only prepares a change, and is refused where a change would be. */
  prepare<T>(operation: string, path: string, body: () => Promise<T>): Promise<T> {
    return this.#change(operation, path, [], body);
  }

  /** The caller's options, with the call's own signal beside the caller's. */
  within<Options extends { readonly signal?: AbortSignal | undefined } | undefined>(
    options: Options,
  ): Options {
    const given = options?.signal;
    const own = this.#limit.signalIfAny;
    if (own === undefined || given === own) return options;
    const signal = given === undefined ? own : AbortSignal.any([given, own]);
    // All of the caller's options and the one that all of them have.
    return { ...options, signal } as Options;
  }

  keepOpen(left: LeftOpen): void {
    this.#leftOpen ??= new Set();
    this.#leftOpen.add(left);
  }

  closed(left: LeftOpen): void {
    this.#leftOpen?.delete(left);
  }

  /** Throws `EBADF` when the call is over. */
  requireOpen(operation: string, path: string): void {
    if (this.#revoked) throw new FilesystemError("EBADF", { operation, path, reason: OVER });
  }

  /** Refuses everything from now on. */
  revoke(): void {
    this.#revoked = true;
  }

  /** Resolves when nothing is under way any more and what was left open is given up, the last one first. */
  async settle(): Promise<void> {
    await this.#settleRunning();
    for (const left of [...(this.#leftOpen ?? [])].reverse()) await left.giveUp();
    this.#leftOpen?.clear();
  }

  #change<T>(
    operation: string,
    path: string,
    paths: readonly string[],
    body: () => Promise<T>,
  ): Promise<T> {
    if (this.readOnly && !this.#revoked)
      return refused(new FilesystemError("EROFS", { operation, path }));
    return this.run(operation, path, async () => {
      const result = await body();
      // Only now: an operation that is refused has changed nothing.
      this.#touched ??= new Set();
      for (const each of paths) this.#touched.add(String(each));
      return result;
    });
  }

  async #settleRunning(): Promise<void> {
    if (this.#underWay !== undefined && this.#underWay.size > 0)
      await Promise.allSettled(this.#underWay);
  }
}

/** A rejection that does no harm when nobody looks at it. */
export function refused(error: unknown): Promise<never> {
  const rejection = Promise.reject(error);
  rejection.catch(() => {});
  return rejection;
}
