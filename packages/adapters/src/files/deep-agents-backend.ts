import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { AdapterError } from "../error/adapter-error.js";
import type { DeepAgentsBackend } from "./deep-agents-protocol.js";
import { isTextType, mediaTypeOf } from "./media-type.js";
import { readWholeFile } from "./read-whole-file.js";

const DEFAULT_LINES = 500;
const EMPTY_FILE = "System reminder: File exists but has empty contents";

/**
 * A backend for `createDeepAgent({ backend })` over the files of a WINK filesystem. Every change is a change of that
 * filesystem, so `filesystem.transact(body)` rolls back what the agent's tools did inside `body`.
 *
 * As in deepagents' own backend, links are neither read nor written.
 */
export function toDeepAgentsBackend(filesystem: Filesystem): DeepAgentsBackend {
  if (typeof filesystem?.transact !== "function")
    throw new AdapterError("ARGUMENT_INVALID", {
      subject: "toDeepAgentsBackend: filesystem",
      reason: "it must be a Filesystem",
    });
  return new DeepAgentsFiles(filesystem);
}

type Answer<Name extends keyof DeepAgentsBackend> = ReturnType<DeepAgentsBackend[Name]>;

class DeepAgentsFiles implements DeepAgentsBackend {
  readonly #files: Filesystem;

  constructor(files: Filesystem) {
    this.#files = files;
  }

  async ls(path: string): Answer<"ls"> {
    try {
      const entries = await this.#files.list(path, { details: true });
      const files = entries.flatMap(({ kind, path: below, sizeBytes, modifiedAt }) => {
        const info = { size: sizeBytes ?? 0, ...(modifiedAt && { modified_at: modifiedAt }) };
        if (kind === "file") return [{ path: this.#absolute(below), is_dir: false, ...info }];
        if (kind !== "directory") return [];
        return [{ path: `${this.#absolute(below)}/`, is_dir: true, ...info, size: 0 }];
      });
      return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
    } catch (error) {
      return isFilesystemError(error, "ENOENT") ? { files: [] } : failure(error, path);
    }
  }

  async read(path: string, offset = 0, limit = DEFAULT_LINES): Answer<"read"> {
    try {
      const { content, mimeType } = await this.#load(path);
      if (typeof content !== "string") return { content, mimeType };
      if (content.trim() === "") return { content: EMPTY_FILE, mimeType };
      const lines = content.split("\n");
      if (offset >= lines.length)
        return {
          error: `'${path}' has ${lines.length} lines; line offset ${offset} is after its end.`,
        };
      return { content: lines.slice(offset, offset + limit).join("\n"), mimeType };
    } catch (error) {
      return failure(error, path);
    }
  }

  async readRaw(path: string): Answer<"readRaw"> {
    try {
      const { content, mimeType } = await this.#load(path);
      const { createdAt, modifiedAt } = await this.#files.stat(path);
      const modified = modifiedAt ?? createdAt ?? new Date(0).toISOString();
      const times = { created_at: createdAt ?? modified, modified_at: modified };
      return { data: { content, mimeType, ...times } };
    } catch (error) {
      return failure(error, path);
    }
  }

  async write(path: string, content: string): Answer<"write"> {
    try {
      await this.#refuseLink(path);
      const isText = isTextType(mediaTypeOf(path));
      const bytes = Buffer.from(content, isText ? "utf8" : "base64");
      await this.#files.writeBytes(path, bytes);
      return { path, filesUpdate: null };
    } catch (error) {
      return failure(error, path);
    }
  }

  async edit(path: string, from: string, to: string, all = false): Answer<"edit"> {
    try {
      return await this.#files.transact(async (files) => {
        await this.#refuseLink(path);
        const { revision } = await files.stat(path);
        const bytes = await readWholeFile(files, path);
        const before = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
        if (from === "" && before !== "")
          return { error: "oldString cannot be empty for a file with content." };
        const occurrences = from === "" ? 0 : before.split(from).length - 1;
        if (from !== "" && occurrences === 0)
          return {
            error: `'${path}' does not contain this text. Read the file again and copy it exactly.`,
          };
        if (occurrences > 1 && !all)
          return {
            error: `The text occurs ${occurrences} times in '${path}'. Add lines around it, or replace all.`,
          };
        const after = from === "" ? to : before.split(from).join(to);
        await files.writeBytes(path, Buffer.from(after), { ifRevision: revision });
        return { path, filesUpdate: null, occurrences };
      });
    } catch (error) {
      return failure(error, path);
    }
  }

  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
  ): Answer<"grep"> {
    try {
      const found = await this.#files.grep(pattern, {
        literal: true,
        path: path ?? ".",
        glob: glob ?? undefined,
        maxMatches: maxCount ?? undefined,
      });
      const matches = found.map(({ path: file, lineNumber, lineContent }) => ({
        ...{ path: this.#absolute(file), line: lineNumber, text: lineContent },
      }));
      return { matches, ...(found.truncated && { truncated: true }) };
    } catch (error) {
      return isFilesystemError(error, "ENOENT") ? { matches: [] } : failure(error, path ?? "/");
    }
  }

  async glob(pattern: string, path = "."): Answer<"glob"> {
    try {
      const found = await this.#files.glob(pattern.replace(/^\/+/, ""), { path });
      const files: NonNullable<Awaited<Answer<"glob">>["files"]> = [];
      for (const { path: file } of found) {
        const { sizeBytes, modifiedAt } = await this.#files.stat(file);
        const time = modifiedAt === undefined ? {} : { modified_at: modifiedAt };
        files.push({ path: this.#absolute(file), is_dir: false, size: sizeBytes, ...time });
      }
      return { files, ...(found.truncated && { truncated: true }) };
    } catch (error) {
      return isFilesystemError(error, "ENOENT") ? { files: [] } : failure(error, path);
    }
  }

  async delete(path: string): Answer<"delete"> {
    try {
      await this.#files.transact(async (files) => {
        const isRoot = path.split("/").every((segment) => segment === "" || segment === ".");
        if (!isRoot) await files.delete(path, { recursive: true });
        else
          for (const entry of await files.list("."))
            await files.delete(entry.path, { recursive: true });
      });
      return { path, filesUpdate: null };
    } catch (error) {
      if (isFilesystemError(error, "EACCES") && (await this.#hasLinkAbove(path)))
        return { error: `Symlink parent not allowed: ${path}` };
      return failure(error, path);
    }
  }

  async uploadFiles(files: readonly (readonly [string, Uint8Array])[]) {
    const responses: Awaited<Answer<"uploadFiles">> = [];
    for (const [path, content] of files)
      try {
        await this.#files.writeBytes(path, content);
        responses.push({ path, error: null });
      } catch (error) {
        responses.push({ path, error: operationError(error) });
      }
    return responses;
  }

  async downloadFiles(paths: readonly string[]) {
    const responses: Awaited<Answer<"downloadFiles">> = [];
    for (const path of paths)
      try {
        responses.push({ path, content: await readWholeFile(this.#files, path), error: null });
      } catch (error) {
        responses.push({ path, content: null, error: operationError(error) });
      }
    return responses;
  }

  /** Text, or bytes if the name or the content says that it is not text. */
  async #load(path: string): Promise<{ content: string | Uint8Array; mimeType: string }> {
    await this.#refuseLink(path);
    const bytes = await readWholeFile(this.#files, path);
    const mimeType = mediaTypeOf(path);
    if (!isTextType(mimeType)) return { content: bytes, mimeType };
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return { content: decoder.decode(bytes), mimeType };
    } catch {
      return { content: bytes, mimeType: "application/octet-stream" };
    }
  }

  async #refuseLink(path: string): Promise<void> {
    if (await this.#isLink(path)) throw new LinkRefused();
  }

  async #isLink(path: string): Promise<boolean> {
    try {
      return (await this.#files.stat(path, { followLinks: false })).kind === "symlink";
    } catch (error) {
      if (isFilesystemError(error, "ENOENT")) return false;
      throw error;
    }
  }

  async #hasLinkAbove(path: string): Promise<boolean> {
    const segments = path.split("/");
    for (let count = segments.length - 1; count > 0; count--) {
      const above = segments.slice(0, count).join("/");
      if (above !== "" && (await this.#isLink(above).catch(() => false))) return true;
    }
    return false;
  }

  #absolute(path: string): string {
    if (path.startsWith("/")) return path;
    const root = this.#files.mountPoint ?? "";
    return path === "." ? root || "/" : `${root === "/" ? "" : root}/${path}`;
  }
}

class LinkRefused extends Error {}

/**
 * The answer for a failed call. Some programs search it for the words of deepagents' own backends, so it uses the same
 * words.
 */
function failure(error: unknown, path: string): { error: string } {
  if (error instanceof LinkRefused)
    return { error: `'${path}' is a symlink. Symlinks are neither read nor written.` };
  if (!isFilesystemError(error)) throw error;
  switch (error.code) {
    case "ENOENT":
      return { error: `'${path}' was not found.` };
    case "EISDIR":
      return { error: `'${path}' is a directory.` };
    case "EACCES":
      return path.split("/").includes("..")
        ? { error: `Path traversal not allowed: ${path}` }
        : { error: error.message };
    default:
      return { error: error.message };
  }
}

function operationError(error: unknown) {
  if (!isFilesystemError(error)) throw error;
  if (error.code === "ENOENT") return "file_not_found";
  if (error.code === "EISDIR") return "is_directory";
  return error.code === "EACCES" || error.code === "EROFS" ? "permission_denied" : "invalid_path";
}
