import type { VirtualPath } from "../path/virtual-path.js";

/** Where copied files are kept out of sight until all of them are there. */
export interface MountSink {
  /** Makes a directory; its parents are made first, by calls of their own. */
  directory(path: VirtualPath): void;
  /** Takes the bytes over. The parent was made before. */
  file(path: VirtualPath, bytes: Uint8Array, executable: boolean): void;
  /** Puts everything into the workspace, or throws and has put nothing there. */
  commit(signal: AbortSignal | undefined): Promise<void>;
  /** Gives up what was taken. Never throws. */
  discard(): Promise<void>;
}
