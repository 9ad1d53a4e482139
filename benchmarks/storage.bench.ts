import { createHash, randomUUID } from "node:crypto";
import { StoredFilesystem } from "@wink/filesystem";
import { storedFilesOf } from "@wink/filesystem/internal";
import type { Run } from "./harness.js";
import { type Blob, type StorageEngine, startEngines } from "./storage-engines.js";

/** Files of 2 kB, as in a repository. */
const TEXT = "some text of a source file in a repository\n".repeat(48);
const CALLS = 200;

export async function run(run: Run): Promise<void> {
  const engines = await startEngines();
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
  const blobs = files.map(({ text }): Blob => {
    const bytes = Buffer.from(text);
    return { id: createHash("sha256").update(bytes).digest("hex"), bytes };
  });
  const rounds = count > 10_000 ? 2 : 3;
  let last = "";
  await run.compare({
    name: `${what}: write all in one commit`,
    rounds,
    before: () => raw.reset(),
    async ours() {
      last = randomUUID();
      await using filesystem = await StoredFilesystem.open(store, last);
      await filesystem.transact(async (inside) => {
        for (const { path, text } of files) await inside.write(path, text);
      });
    },
    peers: { "raw client": () => raw.writeAll(blobs) },
    targets: [{ peer: "raw client", atMost: 3 }],
  });
  await raw.reset();
  await raw.writeAll(blobs);
  const ids = blobs.map(({ id }) => id);
  await run.compare({
    name: `${what}: cold open and read all`,
    rounds,
    async ours() {
      await using filesystem = await StoredFilesystem.open(store, last, { readOnly: true });
      await Promise.all(files.map(({ path }) => filesystem.read(path)));
    },
    peers: { "raw client": async () => void (await raw.readAll(ids)) },
    targets: [{ peer: "raw client", atMost: 2 }],
  });
  await compareCalls(run, engine, last, what);
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
    rounds: 3,
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
          const bytes = Buffer.from(`${number++} raw ${TEXT}`);
          const hash = createHash("sha256").update(bytes).digest("hex");
          await raw.call({ id: hash, bytes }, events);
        }
        return CALLS;
      },
    },
    targets: [{ peer: "raw client", atMost: 4 }],
  });
}
