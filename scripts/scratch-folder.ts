import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "./repository.js";

export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Creates an empty folder inside the clone that is deleted with its scope (`await using`).
 *
 * Each has a unique name, so that two concurrent runs do not share it.
 */
export async function makeScratchFolder(name: string): Promise<ScratchFolder> {
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(path.join(cacheFolder, `${name}-`));
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
