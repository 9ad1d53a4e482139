import { createHash } from "node:crypto";
import type { TreeEntry } from "@wink/filesystem";
import type { FileSide } from "./apply-step.js";
import { contentHash, type HostState, MAX_WHOLE_BYTES } from "./host-state.js";

type SideContent = Pick<FileSide, "hash" | "isLarge" | "parts">;

/** Whether the content of an entry is read in parts. */
export function isLargeEntry(entry: TreeEntry | undefined): boolean {
  return entry?.kind === "file" && entry.sizeBytes > MAX_WHOLE_BYTES;
}

/** Whether the content of a host file was not kept in memory. */
export function isLargeState(state: HostState): boolean {
  return state.kind === "file" && state.bytes === undefined;
}

export function inMemory(bytes: Uint8Array): SideContent {
  return { hash: contentHash(bytes), isLarge: undefined, parts: () => [bytes] };
}

/** The content of an entry of the workspace, which is read when the journal is written. */
export async function contentOf(entry: TreeEntry): Promise<SideContent> {
  if (!isLargeEntry(entry)) return inMemory(await entry.read());
  return { hash: await hashOf(entry), isLarge: true, parts: () => partsOf(entry) };
}

/** The SHA-256 of an entry's content. */
export async function hashOf(entry: TreeEntry): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of partsOf(entry)) hash.update(part);
  return hash.digest("hex");
}

/** The content of an entry, in parts if its backend can read it in parts. */
export async function* partsOf(entry: TreeEntry): AsyncGenerator<Uint8Array, void, void> {
  if (entry.parts === undefined) yield await entry.read();
  else yield* entry.parts();
}
