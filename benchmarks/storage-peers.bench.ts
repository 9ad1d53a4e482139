import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Run, Subject } from "./harness.js";
import {
  type FilesInSqlite,
  openAgentFs,
  openStoreBackend,
  openWink,
  type TextFile,
} from "./storage-peers.js";

const FILES = 2_000;
const EDITS = 20;
const READS = 200;
/** A literal that one file has. */
const NEEDLE = "const needle = 4711;";

/** Stored files, deepagents' StoreBackend and AgentFS, each in a SQLite file. */
export async function run(run: Run): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "wink-storage-peers-"));
  const files = Array.from({ length: FILES }, (_, index) => ({
    path: `src/d${index % 200}/f${index}.ts`,
    text: `// ${index}\n${index === 1234 ? NEEDLE : ""}\n${"export const text = 1;\n".repeat(80)}`,
  }));
  const wink = await openWink(folder);
  const peers: Record<string, FilesInSqlite> = { StoreBackend: await openStoreBackend(folder) };
  const agentFs = await openAgentFs(folder);
  if (agentFs) peers["AgentFS"] = agentFs;
  else console.log("skipped: AgentFS. Set WINK_BENCH_AGENTFS to a directory with agentfs-sdk.");
  const compare = (name: string, subject: (files: FilesInSqlite) => Subject | undefined) =>
    compareAll(run, `${FILES.toLocaleString("en")} files: ${name}`, { wink, peers }, subject);
  try {
    await compare("write all, as new files and then again", (each) => () => each.writeAll(files));
    await compare("read 200 files one by one", (each) => () => readSome(each, files));
    await compare("edit one file", (each) => () => editSome(each));
    await compare("grep a literal that one file has", (each) => search(each.grep, NEEDLE));
    await compare("glob one file", (each) => search(each.glob, "**/f1234.ts"));
  } finally {
    for (const each of [wink, ...Object.values(peers)]) await each.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareAll(
  run: Run,
  name: string,
  { wink, peers }: { readonly wink: FilesInSqlite; readonly peers: Record<string, FilesInSqlite> },
  subject: (files: FilesInSqlite) => Subject | undefined,
): Promise<void> {
  const ours = subject(wink);
  const theirs = Object.entries(peers).flatMap(([peer, files]) => {
    const made = subject(files);
    return made ? [[peer, made] as const] : [];
  });
  if (ours) await run.compare({ name, ours, peers: Object.fromEntries(theirs), targets: [] });
}

async function readSome(subject: FilesInSqlite, files: readonly TextFile[]): Promise<number> {
  for (const { path, text } of files.slice(0, READS))
    if ((await subject.read(path)) !== text) throw new Error(`${path} differs`);
  return READS;
}

let edits = 0;

async function editSome(subject: FilesInSqlite): Promise<number> {
  for (let index = 0; index < EDITS; index++) {
    // All subjects change another file each time, to a line that they have not had.
    const path = `src/d${index}/f${index}.ts`;
    const first = (await subject.read(path)).split("\n", 1)[0] ?? "";
    await subject.edit(path, first, `// edit ${edits++}`);
  }
  return EDITS;
}

function search(
  find: ((what: string) => Promise<number>) | undefined,
  what: string,
): Subject | undefined {
  return (
    find &&
    (async () => {
      if ((await find(what)) !== 1) throw new Error(`${what} is not found once`);
    })
  );
}
