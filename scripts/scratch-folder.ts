import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { cacheFolder } from "./repository.js";

export interface ScratchFolder extends AsyncDisposable {
  readonly path: string;
}

/**
 * Makes an empty folder inside the clone that goes away with its scope (`await using`).
 *
 * Each has a name of its own, so that two runs at once do not meet.
 */
export async function makeScratchFolder(name: string): Promise<ScratchFolder> {
  await mkdir(cacheFolder, { recursive: true });
  const folder = await mkdtemp(path.join(cacheFolder, `${name}-`));
  return {
    path: folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
