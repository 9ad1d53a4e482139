import { rmSync } from "node:fs";

/**
 * Removes a store that was temporary. No agent can write to it, so a plain removal is safe;
 * a removal that fails leaves something behind in the temporary folder, which harms nobody.
 */
export function removeStore(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    // Nothing depends on it.
  }
}
