import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { StoredFilesystem } from "@wink/filesystem";
import { sqliteStore } from "@wink/store/sqlite";
import { StoreBackend, type StoreBackendOptions } from "deepagents";
import Database from "libsql";

/** Files in a SQLite file, with the operations that all subjects have. */
export interface FilesInSqlite {
  writeAll(files: readonly TextFile[]): Promise<void>;
  read(path: string): Promise<string>;
  edit(path: string, old: string, text: string): Promise<void>;
  /** `undefined`: it has no search. */
  readonly grep: ((literal: string) => Promise<number>) | undefined;
  readonly glob: ((pattern: string) => Promise<number>) | undefined;
  close(): Promise<void>;
}

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

export async function openWink(folder: string): Promise<FilesInSqlite> {
  const store = sqliteStore(join(folder, "wink.db"), { synchronous: "normal", processes: "one" });
  const files = await StoredFilesystem.open(store, "files");
  return {
    writeAll: (all) =>
      files.transact(async (inside) => {
        for (const { path, text } of all) await inside.write(path, text);
      }),
    read: async (path) => (await files.read(path)).content,
    async edit(path, old, text) {
      const { content, revision } = await files.read(path);
      await files.write(path, content.replace(old, text), { ifRevision: revision });
    },
    grep: async (literal) => (await files.grep(literal)).length,
    glob: async (pattern) => (await files.glob(pattern)).length,
    async close() {
      await files.close();
      await store.close();
    },
  };
}

/** deepagents' StoreBackend, over a store of LangGraph's interface in the same SQLite. */
export async function openStoreBackend(folder: string): Promise<FilesInSqlite> {
  const { store, close } = langGraphStore(join(folder, "deepagents.db"));
  // The backend calls only these methods of LangGraph's abstract class.
  const backend = new StoreBackend({
    store: store as unknown as NonNullable<StoreBackendOptions["store"]>,
    namespace: ["files"],
  });
  return {
    async writeAll(all) {
      const encoder = new TextEncoder();
      await backend.uploadFiles(all.map(({ path, text }) => [`/${path}`, encoder.encode(text)]));
    },
    async read(path) {
      const { data } = await backend.readRaw(`/${path}`);
      return String(data?.content);
    },
    async edit(path, old, text) {
      const { error } = await backend.edit(`/${path}`, old, text);
      if (error !== undefined) throw new Error(error);
    },
    grep: async (literal) => (await backend.grep(literal)).matches?.length ?? 0,
    glob: async (pattern) => (await backend.glob(pattern)).files?.length ?? 0,
    close: async () => close(),
  };
}

function langGraphStore(file: string) {
  const database = new Database(file);
  database.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL");
  database.exec("CREATE TABLE item(key TEXT PRIMARY KEY, value TEXT)");
  const put = database.prepare("INSERT OR REPLACE INTO item VALUES (?, ?)");
  const get = database.prepare("SELECT value FROM item WHERE key = ?");
  const page = database.prepare("SELECT key, value FROM item ORDER BY key LIMIT ? OFFSET ?");
  const itemOf = ({ key, value }: { key: string; value: string }) => {
    const at = new Date(0);
    return { namespace: ["files"], key, value: JSON.parse(value), createdAt: at, updatedAt: at };
  };
  const store = {
    async put(_: readonly string[], key: string, value: unknown) {
      put.run([key, JSON.stringify(value)]);
    },
    async get(_: readonly string[], key: string) {
      const row = get.get([key]) as { value: string } | undefined;
      return row ? itemOf({ key, value: row.value }) : null;
    },
    async search(_: readonly string[], { limit = 10, offset = 0 } = {}) {
      return (page.all([limit, offset]) as { key: string; value: string }[]).map(itemOf);
    },
  };
  return { store, close: () => void database.close() };
}

interface AgentFsModule {
  readonly AgentFS: {
    open(options: { readonly path: string }): Promise<{
      readonly fs: {
        writeFile(path: string, text: string): Promise<void>;
        readFile(path: string, encoding: "utf8"): Promise<string>;
      };
      close(): Promise<void>;
    }>;
  };
}

/**
 * AgentFS, if `WINK_BENCH_AGENTFS` names a directory in which `agentfs-sdk` is installed. It is not a dependency, because
 * its database has no binary for one of the platforms of this repository.
 */
export async function openAgentFs(folder: string): Promise<FilesInSqlite | undefined> {
  const installed = process.env["WINK_BENCH_AGENTFS"];
  if (installed === undefined) return undefined;
  const file = createRequire(join(installed, "package.json")).resolve("agentfs-sdk");
  const { AgentFS }: AgentFsModule = await import(pathToFileURL(file).href);
  const agent = await AgentFS.open({ path: join(folder, "agentfs.db") });
  const { fs } = agent;
  return {
    async writeAll(all) {
      for (const { path, text } of all) await fs.writeFile(`/${path}`, text);
    },
    read: (path) => fs.readFile(`/${path}`, "utf8"),
    async edit(path, old, text) {
      const content = await fs.readFile(`/${path}`, "utf8");
      await fs.writeFile(`/${path}`, content.replace(old, text));
    },
    grep: undefined,
    glob: undefined,
    close: () => agent.close(),
  };
}
