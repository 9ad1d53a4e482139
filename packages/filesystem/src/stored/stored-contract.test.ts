import { randomUUID } from "node:crypto";
import type { TestRunner } from "@wink/store/testing";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { FilesystemOptions } from "../backend/driver-filesystem.js";
import { overlay } from "../overlay/overlay.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { filesystemContract } from "../testing/filesystem-contract.js";
import { type Engine, engines, type RunningEngine, sqlite } from "./engines.test.support.js";
import { StoredFilesystem } from "./stored-filesystem.js";

/** WINK_STORED_CONTRACT=all runs every case on every engine. Otherwise only SQLite runs all of them. */
const isComplete = process.env["WINK_STORED_CONTRACT"] === "all";
const SAMPLE_EVERY = process.env["WINK_MORE_ROUNDS"] ? 16 : 48;

for (const [index, engine] of engines.entries())
  contractOn(engine, `a filesystem in ${engine.name}`, (files) => files, {
    isSample: engine !== sqlite && !isComplete,
    offset: index,
  });

contractOn(sqlite, "an overlay over SQLite", (files, options) => overlay(files, options), {
  isSample: !isComplete,
  offset: engines.length,
});

function contractOn(
  engine: Engine,
  name: string,
  wrap: (files: StoredFilesystem, options: FilesystemOptions) => Filesystem,
  { isSample, offset }: { readonly isSample: boolean; readonly offset: number },
): void {
  describe(name, () => {
    let running: RunningEngine | undefined;
    beforeAll(async () => {
      running = await engine.start();
    }, 120_000);
    afterAll(async () => {
      await running?.[Symbol.asyncDispose]();
    });
    const opened = new Map<Filesystem, StoredFilesystem>();
    const factory = async (options: FilesystemOptions): Promise<Filesystem> => {
      // Set before the first case.
      const { store } = running as RunningEngine;
      const id = randomUUID();
      // A head must exist to be opened for reading only.
      if (options.readOnly) await (await StoredFilesystem.open(store, id)).close();
      const files = await StoredFilesystem.open(store, id, options);
      const filesystem = wrap(files, options);
      opened.set(filesystem, files);
      return filesystem;
    };
    const cleanup = async (filesystem: Filesystem) => await opened.get(filesystem)?.close();
    const runner = isSample ? sampling(offset) : { describe, it };
    filesystemContract(name, factory, {}, { cleanup, runner });
  });
}

/** Registers one of several cases, so that the samples of all engines together have most areas. */
function sampling(offset: number): TestRunner {
  let count = offset;
  let area = "";
  return {
    // An area without a chosen case would be an empty suite, which is an error.
    describe(name, body) {
      area = name;
      body();
    },
    it: (name, body) => (count++ % SAMPLE_EVERY === 0 ? it(`${area}: ${name}`, body) : undefined),
  };
}
