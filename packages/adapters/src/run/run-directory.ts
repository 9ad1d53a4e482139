import { existsSync, readFileSync } from "node:fs";
import { open, readdir, readFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { saveFile, TreeStore } from "@wink/filesystem/host";
import { SessionLog, type SessionLogOptions } from "@wink/session/jsonl";
import type { TranscriptRecords } from "../transcript/read-transcript.js";
import { readTranscript, TranscriptFile } from "../transcript/transcript-file.js";
import { parseHeader, type RunHeader } from "./run-header.js";
import type { OpenedTranscript, PlaceOptions, RunLog, RunPlace, RunRecords } from "./run-place.js";

/** The names of the files in a run's directory. */
export const RUN_FILES = {
  header: "run.json",
  log: "session.jsonl",
  transcript: "transcript.jsonl",
  journal: "calls.jsonl",
  store: "store",
  earlierStore: "snapshots",
  children: "children",
} as const;

/** A run in a directory of this machine. */
export class RunDirectory implements RunPlace {
  readonly path: string;

  /** @param path a real path */
  constructor(path: string) {
    this.path = path;
  }

  readHeader(): RunHeader | undefined {
    const file = join(this.path, RUN_FILES.header);
    if (existsSync(file)) return parseHeader(readFileSync(file, "utf8"));
    return undefined;
  }

  writeHeader(header: RunHeader): void {
    saveFile(join(this.path, RUN_FILES.header), `${JSON.stringify(header, undefined, 2)}\n`);
  }

  openLog(options: SessionLogOptions): Promise<RunLog> {
    return SessionLog.open(join(this.path, RUN_FILES.log), options);
  }

  openTranscript(options: PlaceOptions): OpenedTranscript {
    return new TranscriptFile(join(this.path, RUN_FILES.transcript), options);
  }

  readTranscript(): TranscriptRecords {
    return readTranscript(join(this.path, RUN_FILES.transcript));
  }

  openStates(store: string, fsync: boolean): TreeStore {
    return TreeStore.open(resolve(this.path, store), { fsync });
  }

  child(name: string): RunDirectory {
    return new RunDirectory(join(this.path, RUN_FILES.children, name));
  }

  childNames(): Promise<readonly string[]> {
    return new RunDirectoryRecords(this.path, true).children();
  }

  childStore(store: string): string {
    return join("..", "..", store);
  }

  /** The header's `store` for a directory. */
  storeName(directory: string | undefined): string {
    if (directory !== undefined) return relative(this.path, resolve(directory));
    // Earlier versions wrote no header, and their store had another name.
    const { store, earlierStore } = RUN_FILES;
    return existsSync(join(this.path, earlierStore)) ? earlierStore : store;
  }
}

/** Reads the run in a directory, or a log without its run. */
export class RunDirectoryRecords implements RunRecords {
  readonly #path: string;
  readonly #log: GrowingFile;
  readonly #transcript: GrowingFile | undefined;
  readonly #isDirectory: boolean;

  /** @param isDirectory whether `path` is the directory of a run, or a log file */
  constructor(path: string, isDirectory: boolean) {
    this.#path = path;
    this.#isDirectory = isDirectory;
    this.#log = new GrowingFile(isDirectory ? join(path, RUN_FILES.log) : path);
    this.#transcript = isDirectory ? new GrowingFile(join(path, RUN_FILES.transcript)) : undefined;
  }

  async readHeader(): Promise<RunHeader | undefined> {
    if (!this.#isDirectory) return undefined;
    try {
      return parseHeader(await readFile(join(this.#path, RUN_FILES.header), "utf8"));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    }
  }

  newEvents(): Promise<readonly string[]> {
    return this.#log.newLines();
  }

  async newTranscript(): Promise<readonly string[]> {
    return (await this.#transcript?.newLines()) ?? [];
  }

  openStates({ store }: RunHeader): TreeStore | undefined {
    return store === undefined ? undefined : TreeStore.read(resolve(this.#path, store));
  }

  async children(): Promise<readonly string[]> {
    if (!this.#isDirectory) return [];
    const names = await readdir(join(this.#path, RUN_FILES.children)).catch((): string[] => []);
    return names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  }

  child(name: string): RunDirectoryRecords {
    return new RunDirectoryRecords(join(this.#path, RUN_FILES.children, name), true);
  }
}

/** Reads the complete lines that were added to a file since the last call. The file need not exist yet. */
class GrowingFile {
  readonly #path: string;
  #offset = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async newLines(): Promise<readonly string[]> {
    const file = await open(this.#path, "r").catch((error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
      throw error;
    });
    if (file === undefined) return [];
    try {
      const { size } = await file.stat();
      const bytes = Buffer.alloc(Math.max(0, size - this.#offset));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#offset);
      const end = bytes.lastIndexOf("\n", bytesRead - 1) + 1;
      this.#offset += end;
      return end === 0 ? [] : bytes.toString("utf8", 0, end - 1).split("\n");
    } finally {
      await file.close();
    }
  }
}
