import { FilesystemSnapshots } from "@wink/prompt";
import { ReadLedger, ToolCalls } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { Plan, VirtualFileSystem } from "@wink/tools";
import type { SliceView } from "../model/run-views.js";

/** The slices whose definitions are part of WINK. An agent's own slices are in its program. */
export const KNOWN_SLICES = [
  Plan,
  VirtualFileSystem,
  ReadLedger,
  FilesystemSnapshots,
  ToolCalls,
] as const;

const KNOWN: ReadonlySet<string> = new Set(KNOWN_SLICES.map(({ name }) => name));
/** A state has one item, and its value is that item. */
const STATES: ReadonlySet<string> = new Set(
  [Plan, VirtualFileSystem, ToolCalls].map(({ name }) => name),
);

export function isState(name: string): boolean {
  return STATES.has(name);
}

/** The slices of a session for people. */
export function slicesOf(session: Session): readonly SliceView[] {
  return Object.entries(session.toJSON().slices).map(([name, { items }]) => ({
    ...{ name, isCut: false, isOld: !KNOWN.has(name) },
    value: isState(name) ? (items[0] ?? null) : items,
  }));
}
