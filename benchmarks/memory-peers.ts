import { InMemoryFilesystem } from "@wink/filesystem";
import { StateBackend } from "deepagents";
import { Bash, InMemoryFs } from "just-bash";
import { Volume } from "memfs";
import picomatch from "picomatch";

/** The same few operations, done the way each peer's users do them. */
export interface MemoryPeer {
  readonly name: string;
  read(path: string): unknown;
  overwrite(path: string, text: string): unknown;
  readLines(path: string, offset: number, limit: number): unknown;
  list(directory: string): unknown;
  glob(pattern: string): unknown;
  /** `undefined` where the peer cannot search by regular expression. */
  grep(pattern: RegExp | string): unknown;
  /** Saves the state, writes a file, restores the state. */
  snapshotWriteRestore(path: string, text: string): unknown;
}

/** Ours and all peers, by name. */
export const memoryPeers: Readonly<
  Record<string, (files: ReadonlyMap<string, string>) => MemoryPeer>
> = { wink, "plain Map": plainMap, memfs, "just-bash": justBash, deepagents };

function wink(files: ReadonlyMap<string, string>): MemoryPeer {
  const fs = new InMemoryFilesystem({ files: Object.fromEntries(files) });
  return {
    name: "wink",
    read: (path) => fs.read(path),
    overwrite: (path, text) => fs.write(path, text),
    readLines: (path, offset, limit) => fs.read(path, { offset, limit }),
    list: (directory) => fs.list(directory),
    glob: (pattern) => fs.glob(pattern),
    grep: (pattern) => fs.grep(typeof pattern === "string" ? pattern : pattern.source),
    async snapshotWriteRestore(path, text) {
      const snapshot = await fs.snapshot();
      await fs.write(path, text);
      await fs.restore(snapshot);
      await fs.deleteSnapshot(snapshot);
    },
  };
}

/** The lower bound: a Map of strings without any checks. */
function plainMap(files: ReadonlyMap<string, string>): MemoryPeer {
  let map = new Map(files);
  return {
    name: "plain Map",
    read: (path) => map.get(path),
    overwrite: (path, text) => map.set(path, text),
    readLines: (path, offset, limit) => cutLines(map.get(path) ?? "", offset, limit),
    list(directory) {
      const prefix = `${directory}/`;
      const names: string[] = [];
      for (const path of map.keys())
        if (path.startsWith(prefix) && !path.includes("/", prefix.length))
          names.push(path.slice(prefix.length));
      return names.sort();
    },
    glob(pattern) {
      const matches = picomatch(pattern, { dot: true });
      return [...map.keys()].filter((path) => matches(path)).sort();
    },
    grep(pattern) {
      return [...map].flatMap(([path, text]) => grepLines(path, text, pattern));
    },
    snapshotWriteRestore(path, text) {
      const kept = new Map(map);
      map.set(path, text);
      map = kept;
    },
  };
}

function memfs(files: ReadonlyMap<string, string>): MemoryPeer {
  let volume = Volume.fromJSON(Object.fromEntries(rooted(files)));
  const walk = (directory: string, visit: (path: string) => void): void => {
    for (const entry of volume.readdirSync(directory, { withFileTypes: true })) {
      // With `withFileTypes` every entry is a Dirent.
      const { name, isDirectory } = entry as { name: string; isDirectory(): boolean };
      const path = directory === "/" ? `/${name}` : `${directory}/${name}`;
      if (isDirectory.call(entry)) walk(path, visit);
      else visit(path);
    }
  };
  return {
    name: "memfs",
    read: (path) => volume.promises.readFile(`/${path}`, "utf8"),
    overwrite: (path, text) => volume.promises.writeFile(`/${path}`, text),
    readLines: async (path, offset, limit) =>
      cutLines(String(await volume.promises.readFile(`/${path}`, "utf8")), offset, limit),
    list: (directory) => volume.promises.readdir(`/${directory}`, { withFileTypes: true }),
    glob(pattern) {
      const matches = picomatch(pattern, { dot: true });
      const found: string[] = [];
      walk("/", (path) => {
        if (matches(path.slice(1))) found.push(path);
      });
      return found.sort();
    },
    grep(pattern) {
      const found: unknown[] = [];
      walk("/", (path) => {
        found.push(...grepLines(path, String(volume.readFileSync(path, "utf8")), pattern));
      });
      return found;
    },
    snapshotWriteRestore(path, text) {
      const kept = volume.toJSON();
      volume.writeFileSync(`/${path}`, text);
      volume = Volume.fromJSON(kept);
    },
  };
}

function justBash(files: ReadonlyMap<string, string>): MemoryPeer {
  let fs = new InMemoryFs(Object.fromEntries(rooted(files)));
  let bash = new Bash({ fs, cwd: "/" });
  return {
    name: "just-bash",
    read: (path) => fs.readFile(`/${path}`),
    overwrite: (path, text) => fs.writeFile(`/${path}`, text),
    readLines: async (path, offset, limit) =>
      cutLines(await fs.readFile(`/${path}`), offset, limit),
    list: (directory) => fs.readdirWithFileTypes(`/${directory}`),
    // Not its shell's `find`, which is many times slower.
    glob(pattern) {
      const matches = picomatch(pattern, { dot: true });
      return fs
        .getAllPaths()
        .filter((path) => matches(path.slice(1)))
        .sort();
    },
    // Its users search with its shell; its filesystem has no search.
    grep: (pattern) =>
      bash.exec(
        typeof pattern === "string"
          ? `grep -rnF '${pattern}' /`
          : `grep -rnP '${pattern.source}' /`,
      ),
    async snapshotWriteRestore(path, text) {
      const kept: Record<string, string> = {};
      for (const each of fs.getAllPaths())
        if ((await fs.stat(each)).isFile) kept[each] = await fs.readFile(each);
      await fs.writeFile(`/${path}`, text);
      fs = new InMemoryFs(kept);
      bash = new Bash({ fs, cwd: "/" });
    },
  };
}

function deepagents(files: ReadonlyMap<string, string>): MemoryPeer {
  const now = new Date().toISOString();
  const state: { messages: never[]; files: Record<string, never> } = { messages: [], files: {} };
  // The peer does not export the type of its state.
  for (const [path, content] of rooted(files))
    state.files[path] = {
      content,
      mimeType: "text/plain",
      created_at: now,
      modified_at: now,
    } as never;
  const backend = new StateBackend({ state } as never);
  const write = (path: string, text: string) => {
    const { filesUpdate } = backend.write(`/${path}`, text);
    // The same as its state reducer does with an update.
    state.files = { ...state.files, ...(filesUpdate as Record<string, never>) };
  };
  return {
    name: "deepagents",
    read: (path) => backend.read(`/${path}`),
    overwrite: write,
    readLines: (path, offset, limit) => backend.read(`/${path}`, offset, limit),
    list: (directory) => backend.ls(`/${directory}`),
    glob: (pattern) => backend.glob(pattern, "/"),
    grep: (pattern) => (typeof pattern === "string" ? backend.grep(pattern, "/") : undefined),
    snapshotWriteRestore(path, text) {
      const kept = state.files;
      write(path, text);
      state.files = kept;
    },
  };
}

function rooted(files: ReadonlyMap<string, string>): [string, string][] {
  return [...files].map(([path, text]) => [`/${path}`, text]);
}

function cutLines(text: string, offset: number, limit: number): string {
  return text
    .split("\n")
    .slice(offset, offset + limit)
    .join("\n");
}

function grepLines(path: string, text: string, pattern: RegExp | string): unknown[] {
  const found: unknown[] = [];
  const lines = text.split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    const matches = typeof pattern === "string" ? line.includes(pattern) : pattern.test(line);
    if (matches) found.push({ path, line, lineNumber: index + 1 });
  }
  return found;
}
