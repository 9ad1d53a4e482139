import { StoredFilesystem } from "@wink/filesystem";
import {
  type RecordSource,
  type StoredFiles,
  StoredStates,
  storedFilesOf,
} from "@wink/filesystem/internal";
import { type Head, isStoreError, type Store, type StoreError } from "@wink/store";
import { AdapterError } from "../error/adapter-error.js";
import {
  addLines,
  encodeLines,
  HEADER_ENTRY,
  headerEntry,
  linesOf,
  type RunLines,
} from "./run-lines.js";
import type { RunInStore } from "./run-options.js";

/** A run in a store: the id of its head. */
export interface StoredRunSource {
  readonly store: Store;
  readonly id: string;
}

export function isStoredRun(source: unknown): source is StoredRunSource {
  const { store, id }: { store?: unknown; id?: unknown } = { ...Object(source) };
  return typeof id === "string" && typeof Object(store).open === "function";
}

interface Batch {
  readonly events: Uint8Array[];
  readonly transcript: Uint8Array[];
  readonly headers: Map<string, Uint8Array>;
}

/** Records after which nothing more comes for a while, so that they are stored without a call. */
const PAUSES = /^\{"kind":"(?:turn|end|failed|park|answer)"/;

/**
 * The head of a run that is open for writing: its files, and the records of the run and its subagents.
 *
 * Records are collected. They are stored in the commit of the next call that changes files, in the same step as the
 * files, or on their own when the model has answered.
 */
export class StoreHead {
  readonly source: StoredRunSource;
  readonly filesystem: StoredFilesystem;
  readonly files: StoredFiles;
  /** What earlier processes wrote, by the path of the run. */
  readonly lines: Map<string, RunLines>;
  readonly headers: Map<string, string>;
  #pending: Batch = emptyBatch();
  #sent: Batch = emptyBatch();
  #flushing: Promise<void> | undefined;
  #failure: StoreError | undefined;

  private constructor(
    source: StoredRunSource,
    filesystem: StoredFilesystem,
    files: StoredFiles,
    records: { readonly lines: Map<string, RunLines>; readonly headers: Map<string, string> },
  ) {
    this.source = source;
    this.filesystem = filesystem;
    this.files = files;
    this.lines = records.lines;
    this.headers = records.headers;
  }

  static async open(source: StoredRunSource, options: RunInStore): Promise<StoreHead> {
    const filesystem = await StoredFilesystem.open(source.store, source.id, options.files);
    // A filesystem that `open` returned is known.
    const files = storedFilesOf(filesystem) as StoredFiles;
    try {
      const [lines, headers] = await Promise.all([
        readLines(files.head),
        readHeaders(files.head),
        files.states.load(),
      ]);
      const head = new StoreHead(source, filesystem, files, { lines, headers });
      files.commits?.carry(head.#source());
      return head;
    } catch (error) {
      await filesystem.close();
      throw error;
    }
  }

  append(path: string, stream: keyof RunLines, lines: string): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#pending[stream].push(encodeLines(path, lines));
    // A subagent's run may be opened again by this process.
    linesOf(this.lines, path)[stream].push(...lines.trimEnd().split("\n"));
    const last = lines.lastIndexOf("\n", lines.length - 2) + 1;
    if (stream === "transcript" && PAUSES.test(lines.slice(last))) void this.#flushLater();
  }

  writeHeader(path: string, json: string): void {
    this.headers.set(path, json);
    this.#pending.headers.set(headerEntry(path), new TextEncoder().encode(json));
  }

  /** Stores the states of another head, whose contents this one shares. */
  async copyStates(head: Head): Promise<void> {
    for (const [name, bytes] of await head.entries({ prefix: StoredStates.prefix }))
      this.#pending.headers.set(name, bytes);
    await this.flush();
    await this.files.states.load();
  }

  /** Settles when the last answer of the model is stored. `undefined` if it is. */
  get settled(): Promise<void> | undefined {
    return this.#flushing;
  }

  /** Stores all records. */
  async flush(): Promise<void> {
    await this.#flushing;
    await this.files.commits?.commitRecords();
  }

  async close(): Promise<void> {
    try {
      if (this.#failure === undefined) await this.flush();
    } finally {
      await this.filesystem.close();
    }
  }

  #flushLater(): Promise<void> {
    this.#flushing ??= Promise.resolve()
      .then(() => this.files.commits?.commitRecords())
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#flushing = undefined;
      });
    return this.#flushing;
  }

  /** A store that cannot be reached gets the records with the next commit. After other errors the run has ended. */
  #failed(error: unknown): void {
    if (
      !isStoreError(error) ||
      isStoreError(error, "UNREACHABLE") ||
      isStoreError(error, "UNKNOWN")
    )
      return;
    this.#failure = error;
  }

  #source(): RecordSource {
    const { states } = this.files;
    return {
      take: () => {
        const { events, transcript, headers } = this.#pending;
        if (events.length + transcript.length + headers.size === 0 && !states.isPending)
          return undefined;
        this.#sent = this.#pending;
        this.#pending = emptyBatch();
        return { events, transcript, entries: Object.fromEntries(headers), ...states.take() };
      },
      stored: () => {
        states.stored();
        this.#sent = emptyBatch();
      },
      shrink: () => states.drop(),
      failed: () => {
        states.failed();
        const { events, transcript, headers } = this.#sent;
        this.#pending = {
          events: [...events, ...this.#pending.events],
          transcript: [...transcript, ...this.#pending.transcript],
          headers: new Map([...headers, ...this.#pending.headers]),
        };
        this.#sent = emptyBatch();
      },
    };
  }
}

export async function readLines(head: Head): Promise<Map<string, RunLines>> {
  const runs = new Map<string, RunLines>();
  for (const stream of ["events", "transcript"] as const)
    for await (const records of head.records(stream)) addLines(runs, stream, records);
  return runs;
}

export async function readHeaders(head: Head): Promise<Map<string, string>> {
  const entries = await head.entries({ prefix: HEADER_ENTRY });
  return new Map(
    [...entries].map(([name, bytes]) => [
      name.slice(HEADER_ENTRY.length + 1),
      new TextDecoder().decode(bytes),
    ]),
  );
}

export function lostRun(id: string): AdapterError {
  return new AdapterError("RUN_INVALID", {
    subject: `run '${id}'`,
    reason: "it is not in the store",
  });
}

function emptyBatch(): Batch {
  return { events: [], transcript: [], headers: new Map() };
}
