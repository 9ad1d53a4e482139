import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
} from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import {
  type Filesystem,
  InMemoryFilesystem,
  isFilesystemError,
  isSnapshotable,
  type SnapshotableFilesystem,
} from "@wink/filesystem";
import { resourceOf } from "../runtime/transaction/call-resource.js";

const FILES = "wink://files/";
const DIFF = "wink://diff";
const SNAPSHOTS = "wink://snapshots";
/** Files on one page of the list. */
const PAGE = 500;

/** The files of a prompt as MCP resources: each file, the changes since the first server, and the snapshots. */
export class PromptResources {
  readonly #files: Filesystem;
  readonly #snapshots: SnapshotableFilesystem | undefined;

  readonly #changes: (() => Promise<string>) | undefined;

  private constructor(files: Filesystem, changes: (() => Promise<string>) | undefined) {
    this.#files = files;
    this.#changes = changes;
    this.#snapshots = isSnapshotable(files) ? files : undefined;
  }

  static async open(
    files: Filesystem | undefined,
    changes: (() => Promise<string>) | undefined,
  ): Promise<PromptResources | undefined> {
    if (files === undefined) return undefined;
    if (changes !== undefined || !(files instanceof InMemoryFilesystem))
      return new PromptResources(files, changes);
    const resource = resourceOf(files);
    resource.served ??= files.snapshot();
    const base = await resource.served;
    return new PromptResources(files, async () => await (await files.diff(base)).toPatch());
  }

  async list(cursor: string | undefined): Promise<ListResourcesResult> {
    const found = await this.#files.glob("**/*");
    const start = pageStart(cursor);
    const files = found.slice(start, start + PAGE).map(({ path }) => ({
      ...{ uri: uriOf(path), name: path, mimeType: "text/plain" },
    }));
    const more = start + PAGE < found.length ? { nextCursor: String(start + PAGE) } : {};
    return { resources: [...(start === 0 ? this.#fixed() : []), ...files], ...more };
  }

  templates(): ListResourceTemplatesResult {
    const description = "A file of the workspace, by its path.";
    return { resourceTemplates: [{ uriTemplate: `${FILES}{+path}`, name: "file", description }] };
  }

  async read(uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
    if (uri === DIFF && this.#changes !== undefined)
      return { contents: [{ uri, mimeType: "text/x-diff", text: await this.#changes() }] };
    if (uri === SNAPSHOTS && this.#snapshots !== undefined) {
      const taken = await this.#snapshots.snapshots({ signal });
      const shown = taken.map(({ snapshotId, name, tag, createdAt }) => ({
        ...{ id: snapshotId, name, tag, createdAt },
      }));
      return { contents: [{ uri, mimeType: "application/json", text: JSON.stringify(shown) }] };
    }
    if (!uri.startsWith(FILES)) throw missing(uri);
    return { contents: [await this.#readFile(uri, signal)] };
  }

  async #readFile(uri: string, signal: AbortSignal) {
    try {
      const path = decodeURIComponent(uri.slice(FILES.length));
      const { content } = await this.#files.readBytes(path, { signal });
      try {
        const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
        return { uri, mimeType: "text/plain", text };
      } catch {
        const blob = Buffer.from(content).toString("base64");
        return { uri, mimeType: "application/octet-stream", blob };
      }
    } catch (error) {
      if (isFilesystemError(error)) throw missing(uri, error.message);
      if (error instanceof URIError) throw missing(uri);
      throw error;
    }
  }

  #fixed() {
    const diff = { uri: DIFF, name: "diff", mimeType: "text/x-diff" };
    const snapshots = { uri: SNAPSHOTS, name: "snapshots", mimeType: "application/json" };
    return [
      ...(this.#changes ? [{ ...diff, description: "The changes of the files so far." }] : []),
      ...(this.#snapshots ? [{ ...snapshots, description: "The snapshots of the files." }] : []),
    ];
  }
}

function uriOf(path: string): string {
  return FILES + path.split("/").map(encodeURIComponent).join("/");
}

function pageStart(cursor: string | undefined): number {
  const start = Number(cursor ?? 0);
  return Number.isSafeInteger(start) && start > 0 ? start : 0;
}

function missing(uri: string, reason = "the resource does not exist"): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `${uri}: ${reason}`);
}
