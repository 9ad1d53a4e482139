import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createFilesystem,
  type Filesystem,
  type FilesystemDriver,
  FilesystemError,
  InMemoryFilesystem,
} from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { createToolContext, type TestToolContext } from "@wink/prompt/testing";
import { Session } from "@wink/session";
import { onTestFinished } from "vitest";
import { type Answer, callTool } from "../reply/call-tool.test.support.js";
import type { ToolLimits } from "../reply/limits.js";
import { VfsToolsSection } from "./vfs-tools-section.js";

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface Workspace {
  readonly section: VfsToolsSection;
  readonly session: Session;
  readonly filesystem: Filesystem;
  readonly context: TestToolContext;
  call(tool: string, input: unknown): Promise<Answer>;
  /** Returns the text of a call's answer. */
  ask(tool: string, input: unknown): Promise<string>;
}

export interface WorkspaceOptions {
  readonly limits?: Partial<ToolLimits>;
  readonly filesystem?: Filesystem;
}

/** Creates a section with files in memory or on the given filesystem, with helpers that call its tools. */
export async function openWorkspace(
  files: Files,
  options: WorkspaceOptions = {},
): Promise<Workspace> {
  const session = new Session();
  const { limits, filesystem: given } = options;
  const section = await VfsToolsSection.create({
    session,
    limits,
    // A snapshot of a host filesystem for each of hundreds of cases would be slow.
    trackChanges: given === undefined,
    ...(given ? { filesystem: given } : { files }),
  });
  const { filesystem } = section;
  const context = createToolContext({ session, filesystem });
  const call = (name: string, input: unknown) =>
    callTool(
      section.tools.find((tool) => tool.name === name),
      input,
      context,
      limits?.maxAnswerCharacters,
    );
  const ask = async (name: string, input: unknown) => (await call(name, input)).text;
  return { section, session, filesystem, context, call, ask };
}

/** A driver with six methods over a map, like a user's own backend. */
export function mapDriver(): FilesystemDriver {
  const files = new Map<string, Uint8Array>();
  const folders = new Set([""]);
  const parentOf = (each: string) => each.slice(0, Math.max(0, each.lastIndexOf("/")));
  const inside = (paths: Iterable<string>, folder: string) =>
    [...paths].filter((each) => each !== "" && parentOf(each) === folder);
  const nameOf = (each: string) => each.slice(each.lastIndexOf("/") + 1);
  return {
    name: "map",
    async stat(at) {
      const bytes = files.get(at);
      if (bytes) return { kind: "file", sizeBytes: bytes.length };
      return folders.has(at) ? { kind: "directory", sizeBytes: 0 } : undefined;
    },
    async list(at) {
      return [
        ...inside(files.keys(), at).map((each) => ({ name: nameOf(each), kind: "file" as const })),
        ...inside(folders, at).map((each) => ({ name: nameOf(each), kind: "directory" as const })),
      ];
    },
    read: async (at, offset, length) =>
      files.get(at)?.slice(offset, offset + length) ?? new Uint8Array(),
    async write(at, bytes, mode) {
      const before = files.get(at);
      if (mode === "create" && before)
        throw new FilesystemError("EEXIST", { operation: "write", path: at });
      files.set(at, Uint8Array.from([...((mode === "append" && before) || []), ...bytes]));
    },
    mkdir: async (at) => void folders.add(at),
    remove: async (at) => void (files.delete(at) || folders.delete(at)),
  };
}

export type Backend = "memory" | "host" | "driver";

/** Opens a backend of this kind that contains the files. */
export async function openBackend(backend: Backend, files: Files): Promise<Filesystem> {
  if (backend === "memory") return new InMemoryFilesystem({ files });
  if (backend === "host") return await openHost(files);
  const filesystem = createFilesystem(mapDriver());
  for (const [at, content] of Object.entries(files))
    await filesystem.writeBytes(at, toBytes(content));
  return filesystem;
}

async function openHost(files: Files): Promise<Filesystem> {
  const folder = await mkdtemp(path.join(tmpdir(), "wink-tools-"));
  for (const [at, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, at)), { recursive: true });
    await writeFile(path.join(folder, at), content);
  }
  const filesystem = await HostFilesystem.open(folder);
  onTestFinished(async () => {
    await filesystem.close();
    await rm(folder, { recursive: true });
  });
  return filesystem;
}

function toBytes(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

/** Returns every file by path, decoded as Latin-1 so that each byte is one character. */
export async function contentsOf(
  filesystem: Filesystem,
): Promise<Readonly<Record<string, string>>> {
  const contents: Record<string, string> = {};
  for (const { path: at } of await filesystem.glob("**"))
    contents[at] = Buffer.from((await filesystem.readBytes(at)).content).toString("latin1");
  return contents;
}
