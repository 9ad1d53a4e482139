import type { SessionEvent } from "@wink/session";

/** Events that describe one operation on files completely. The names are a file format. */
const TRANSFERS: ReadonlySet<string> = new Set(["files.delete", "files.move", "files.copy"]);
const WRITES: ReadonlySet<string> = new Set(["files.write", "files.edit"]);

/** The events of one call that describe its changes of files. */
export class CoveringEvents {
  count = 0;
  /** The last revision that an event reports, by path. */
  #reported: Map<string, string> | undefined;
  #mentioned: Set<string> | undefined;

  /** The paths in the events. */
  get mentioned(): ReadonlySet<string> {
    return this.#mentioned ?? NOTHING;
  }

  add({ type, payload }: SessionEvent): void {
    const isWrite = WRITES.has(type) && isReport(payload);
    if (!isWrite && !TRANSFERS.has(type)) return;
    this.count++;
    this.#mentioned ??= new Set();
    for (const path of pathsIn(type, payload)) this.#mentioned.add(path);
    if (!isWrite) return;
    this.#reported ??= new Map();
    this.#reported.set(payload.path, payload.revision);
  }

  /**
   * Whether the events describe all operations of the call: there are as many, and every file that
   * they report has the reported revision.
   */
  coverAll(
    operations: number,
    seen: (path: string) => { readonly revision: string | undefined } | undefined,
  ): boolean {
    if (this.count !== operations) return false;
    for (const [path, revision] of this.#reported ?? [])
      if (seen(path)?.revision !== revision) return false;
    return true;
  }
}

const NOTHING: ReadonlySet<string> = new Set();

/** The paths that an event changes. */
function pathsIn(type: string, payload: unknown): readonly string[] {
  // The lookups are checked.
  const { path, from, to } = { ...(payload as Readonly<Record<string, unknown>>) };
  const changed = type === "files.copy" ? [to] : [path, from, to];
  return changed.filter((each) => typeof each === "string");
}

interface Report {
  readonly path: string;
  readonly revision: string;
}

function isReport(payload: unknown): payload is Report {
  return (
    typeof payload === "object" &&
    payload !== null &&
    "path" in payload &&
    typeof payload.path === "string" &&
    "revision" in payload &&
    typeof payload.revision === "string"
  );
}
