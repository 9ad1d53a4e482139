import type { HostRoot } from "@wink/filesystem/host";
import type { AllowedRoot } from "../mount/allowed-roots.js";
import type { DirectorySide, FileSide, LinkSide, Step } from "./apply-step.js";
import type { DirectoryTime } from "./directory-times.js";

/** The JSON of a journal. */
export type StoredSide =
  | { readonly kind: "absent" }
  | DirectorySide
  | (Omit<FileSide, "parts"> & { readonly blob: string })
  | LinkSide;

export interface StoredStep {
  readonly root: string;
  readonly identity: string;
  readonly path: string;
  readonly workspacePath: string;
  readonly temporary: string;
  readonly before: StoredSide;
  readonly after: StoredSide;
}

export interface StoredTime {
  readonly root: string;
  readonly identity: string;
  readonly path: string;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** The steps of a journal, whose roots are open. */
export interface JournalSteps {
  readonly steps: readonly Step[];
  readonly times: readonly DirectoryTime[];
}

export function storedRoot(
  root: HostRoot,
  roots: readonly AllowedRoot[],
): Pick<StoredStep, "root" | "identity"> {
  const allowed = roots.find((each) => each.root === root);
  if (allowed === undefined) throw new Error("the root of a step is not open");
  return { root: allowed.canonical, identity: allowed.identity };
}
