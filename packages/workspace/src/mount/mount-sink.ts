import type { VirtualPath } from "../path/virtual-path.js";

/** Receives the copied files and hides them until `commit`. */
export interface MountSink {
  /** Makes a directory. The caller makes its parents first. */
  directory(path: VirtualPath): void;
  /** Takes ownership of the bytes. The parent directory already exists. */
  file(path: VirtualPath, bytes: Uint8Array, executable: boolean): void;
  /** Puts everything into the workspace. If it throws, nothing was added. */
  commit(signal: AbortSignal | undefined): Promise<void>;
  /** Deletes everything received so far. Never throws. */
  discard(): Promise<void>;
}
