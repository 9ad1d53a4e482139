import { createHash, randomUUID } from "node:crypto";
import { StoredFilesystem } from "@wink/filesystem";
import { storedFilesOf } from "@wink/filesystem/internal";
import type { Store } from "@wink/store";
import type { Run } from "./harness.js";
import { type Blob, batches, type StorageEngine, startEngines } from "./storage-engines.js";

/** Files of 2 kB, as in a repository. */
const TEXT = "some text of a source file in a repository\n".repeat(48);
const CALLS = 200;
const decoder = new TextDecoder("utf-8", { fatal: true });

export async function run(run: Run): Promise<void> {
  // One engine, for a profile of it: `WINK_BENCH_ENGINE=Redis`.
  const engines = await startEngines(process.env["WINK_BENCH_ENGINE"]);
  try {
    for (const count of run.quick ? [10_000] : [10_000, 100_000])
      for (const engine of engines) await compareEngine(run, engine, count);
  } finally {
    for (const engine of engines) await engine[Symbol.asyncDispose]();
  }
}

async function compareEngine(run: Run, engine: StorageEngine, count: number): Promise<void> {
  const { name, store, raw } = engine;
  const what = `${name}, ${count.toLocaleString("en")} files`;
  const files = Array.from({ length: count }, (_, index) => ({
    path: `src/d${index % 200}/f${index}.ts`,
    text: `// ${index}\n${TEXT}`,
  }));
  // Both sides get texts, store them by their hash, and give back texts that were checked against it.
  const blobsOf = () => files.map(({ text }) => blobOf(text));
  const rounds = count > 10_000 ? 2 : 3;
  let last = "";
  await run.compare({
    name: `${what}: write all in one commit`,
    rounds,
    async before() {
      await raw.reset();
      if (last !== "") await store.delete(last);
    },
    async ours() {
      last = await writeFiles(store, files);
    },
    peers: { "raw client": () => raw.writeAll(blobsOf()) },
    targets: [{ peer: "raw client", atMost: 3 }],
  });
  await raw.reset();
  await raw.writeAll(blobsOf());
  last = await writeFiles(store, files);
  const ids = blobsOf().map(({ id }) => id);
  await run.compare({
    name: `${what}: cold open and read all`,
    rounds,
    async ours() {
      await using filesystem = await StoredFilesystem.open(store, last, { readOnly: true });
      for (const batch of batches(files))
        await Promise.all(batch.map(({ path }) => filesystem.read(path)));
    },
    peers: {
      "raw client": async () => {
        const texts: string[] = [];
        await raw.readAll(ids, (id, bytes) => {
          if (createHash("sha256").update(bytes).digest("hex") !== id) throw new Error("damaged");
          texts.push(decoder.decode(bytes));
        });
        if (texts.length !== count) throw new Error("incomplete");
      },
    },
    targets: [{ peer: "raw client", atMost: 2 }],
  });
  await compareCalls(run, engine, last, what);
}

interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Returns the id of a new head with the files. */
async function writeFiles(store: Store, files: readonly TextFile[]): Promise<string> {
  const id = randomUUID();
  await using filesystem = await StoredFilesystem.open(store, id);
  await filesystem.transact(async (inside) => {
    for (const { path, text } of files) await inside.write(path, text);
  });
  return id;
}

function blobOf(text: string): Blob {
  const bytes = Buffer.from(text);
  return { id: createHash("sha256").update(bytes).digest("hex"), bytes };
}

async function compareCalls(
  run: Run,
  { store, raw }: StorageEngine,
  id: string,
  what: string,
): Promise<void> {
  await using filesystem = await StoredFilesystem.open(store, id);
  const events = ["start", "files.write", "end"].map((each) => Buffer.from(each.padEnd(200)));
  storedFilesOf(filesystem)?.commits?.carry({
    take: () => ({ events, transcript: [] }),
    stored() {},
    failed() {},
    shrink: () => false,
  });
  let number = 0;
  await run.compare({
    name: `${what}: tool call with one file and three events`,
    rounds: 9,
    async ours() {
      for (let index = 0; index < CALLS; index++)
        await filesystem.transact((inside) =>
          inside.write(`src/d1/f${(number++ % 50) * 200 + 1}.ts`, `${number} ${TEXT}`),
        );
      return CALLS;
    },
    peers: {
      "raw client": async () => {
        for (let index = 0; index < CALLS; index++) {
          await raw.call(blobOf(`${number++} raw ${TEXT}`), events);
        }
        return CALLS;
      },
    },
    targets: [{ peer: "raw client", atMost: 4 }],
  });
}
