import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostFilesystem } from "@wink/filesystem/host";
import { overlayHost, Workspace } from "@wink/workspace";
import type { Run } from "./harness.js";

const DIRECTORIES = 1_000;
const FILES_EACH = 20;
const MAX_FILE_BYTES = 13_000;

/**
 * The persistent workspace of a repository with 20,000 files and about 130 MB, against `cp -a` and `git status`. The
 * start of a process is not included on our side; the peers include theirs. `cp -a` does not copy the `.git`.
 */
export async function run(run: Run): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), "wink-workspace-"));
  try {
    const files = join(place, "files");
    const totalBytes = writeFiles(files);
    await firstRuns(run, place, files);

    // From here on it is a repository.
    const source = files;
    commitAll(source);
    const git = () => void execFileSync("git", ["status", "--porcelain"], { cwd: source });
    const stateDirectory = join(place, "state");
    await (await Workspace.open(source, { stateDirectory })).close();
    await run.compare({
      name: "open it again and look for changes of the directory",
      ours: async () => {
        await using workspace = await Workspace.open(source, { stateDirectory });
        await workspace.refresh();
      },
      peers: {
        "git status": git,
        "open it again with follow": async () => {
          await using workspace = await Workspace.open(source, { stateDirectory, follow: true });
          await workspace.filesystem.read("p0/m0/d0/f0.ts");
        },
      },
      targets: [{ peer: "git status", atMost: 2 }],
    });

    await callsOf(run, source, stateDirectory, place);

    await using workspace = await Workspace.open(source, { stateDirectory });
    let edit = 0;
    await run.compare({
      name: "apply one change",
      ours: async () => {
        const report = await workspace.apply();
        if (report.written.length !== 1) throw new Error("one file must be written");
      },
      peers: { "git status": git },
      targets: [{ peer: "git status", atMost: 2 }],
      before: async () => {
        await workspace.filesystem.write("p0/m0/d0/f1.ts", `edit ${edit++}\n`);
      },
    });

    const used = residentBytesOf(source);
    await run.compare({
      name: "resident memory of the memory backend, in bytes instead of time",
      rounds: 1,
      ours: () => ({ micros: used }),
      peers: { "the bytes": () => ({ micros: totalBytes }) },
      targets: [{ peer: "the bytes", atMost: 2 }],
    });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** The time until the files can be read: of a first copy, and of an overlay, which copies nothing. */
async function firstRuns(run: Run, place: string, source: string): Promise<void> {
  // Copies are deleted at the end of the suite only. For a minute after a deletion, ext4 looks at each deleted inode
  // before it uses one again, so that 20,000 new files take a hundred times as long, with `cp` too.
  let copies = 0;
  const next = () => join(place, `copy-${copies++}`);
  await run.compare({
    name: "copy a directory for the first run",
    rounds: 3,
    ours: async () => {
      const stateDirectory = next();
      const start = performance.now();
      await using workspace = await Workspace.open(source, { stateDirectory });
      await workspace.filesystem.read("p0/m0/d0/f0.ts");
      // Closing waits for the snapshot.
      return { micros: (performance.now() - start) * 1_000 };
    },
    peers: { "cp -a": () => void execFileSync("cp", ["-a", source, next()]) },
    targets: [{ peer: "cp -a", atMost: 1.5 }],
  });
  const options = { allowedHostRoots: [source], stateDirectory: join(place, "overlay") };
  await run.compare({
    name: "show a directory through an overlay for the first run",
    rounds: 3,
    ours: async () => {
      await using overlaid = await overlayHost({ hostPath: "." }, options);
      await overlaid.filesystem.read("p0/m0/d0/f0.ts");
    },
    peers: {
      "cp -a": () => void execFileSync("cp", ["-a", source, next()]),
      "search all files through it": async () => {
        await using overlaid = await overlayHost({ hostPath: "." }, options);
        await overlaid.filesystem.grep("a text that no file has");
      },
    },
    targets: [{ peer: "cp -a", atMost: 0.1 }],
  });
}

/** Measures in a separate process, because other suites leave garbage on the heap. */
function residentBytesOf(source: string): number {
  const program = `
    import { InMemoryFilesystem } from ${JSON.stringify(import.meta.resolve("@wink/filesystem"))};
    import { mountHost } from ${JSON.stringify(import.meta.resolve("@wink/workspace"))};
    const filesystem = new InMemoryFilesystem();
    await mountHost(filesystem, [{ hostPath: "." }], { allowedHostRoots: [process.argv[1]] });
    console.log(process.memoryUsage().rss);`;
  const args = ["--input-type=module", "-e", program, source];
  return Number(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

/** Calls of a tool that follows the directory, against the same calls of the library and one stat. */
async function callsOf(
  run: Run,
  source: string,
  stateDirectory: string,
  place: string,
): Promise<void> {
  await using workspace = await Workspace.open(source, { stateDirectory, follow: true });
  const plain = join(place, "plain");
  execFileSync("cp", ["-a", join(source, "p1"), plain]);
  await using library = await HostFilesystem.open(plain);
  const calls = 200;
  const each = async (call: (index: number) => Promise<unknown>) => {
    for (let index = 0; index < calls; index++) await call(index % FILES_EACH);
    return calls;
  };
  await run.compare({
    name: "read a file in a call of wink mcp",
    ours: () => each((index) => workspace.filesystem.read(`p1/m1/d1/f${index}.ts`)),
    peers: {
      "the library and one stat": () =>
        each(async (index) => {
          lstatSync(join(source, `p1/m1/d1/f${index}.ts`));
          return await library.read(`m1/d1/f${index}.ts`);
        }),
    },
    targets: [{ peer: "the library and one stat", atMost: 5 }],
  });
  let edit = 0;
  const write = async (filesystem: typeof workspace.filesystem, path: string) => {
    await using transaction = await filesystem.begin();
    await filesystem.write(path, `edit ${edit++}\n`);
    await transaction.commit();
  };
  await run.compare({
    name: "write a file in a call of wink mcp",
    ours: () => each((index) => write(workspace.filesystem, `p1/m1/d1/f${index}.ts`)),
    peers: {
      "the library and one stat": () =>
        each(async (index) => {
          lstatSync(join(source, `p1/m1/d1/f${index}.ts`));
          await write(library, `m1/d1/f${index}.ts`);
        }),
    },
    targets: [{ peer: "the library and one stat", atMost: 5 }],
  });
  await workspace.discard({ keepAs: "before-apply" });
}

/** Writes 20,000 files. Returns their bytes. */
function writeFiles(source: string): number {
  let seed = 1;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return seed / 0x7fffffff;
  };
  let totalBytes = 0;
  for (let directory = 0; directory < DIRECTORIES; directory++) {
    const path = join(source, `p${directory % 20}/m${directory % 50}/d${directory}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES_EACH; file++) {
      const size = Math.floor(random() * MAX_FILE_BYTES);
      const lines: string[] = [];
      for (let length = 0; length < size; length += 32)
        lines.push(`export const value = ${Math.floor(random() * 1e9)};`.padEnd(31));
      const text = `${lines.join("\n")}\n`;
      writeFileSync(join(path, `f${file}.ts`), text);
      totalBytes += text.length;
    }
  }
  return totalBytes;
}

function commitAll(source: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: source });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-qm", "files");
}
