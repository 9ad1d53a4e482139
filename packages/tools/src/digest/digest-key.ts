import type { ScannedFile } from "./ecosystems/project-files.js";

/** Returns a hash of all paths and contents. It does not depend on the order of the files. */
export async function digestKey(files: readonly ScannedFile[]): Promise<string> {
  const lines = files.map(
    ({ path, sizeBytes, revision }) => `${path}\0${sizeBytes}\0${revision}\n`,
  );
  const bytes = new TextEncoder().encode(lines.sort().join(""));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
