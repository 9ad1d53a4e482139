import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { HostFilesystem } from "../../host.js";

export const SECRET = "code inside must not see this";

/** A workspace on disk with a secret next to it. */
export async function openNextToSecret() {
  const base = mkdtempSync(path.join(tmpdir(), "wink-promises-"));
  const root = path.join(base, "root");
  const outside = path.join(base, "outside");
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(path.join(outside, "secret.txt"), SECRET);
  const fs = await HostFilesystem.open(root, { fsync: false });
  onTestFinished(async () => {
    await fs.close();
    rmSync(base, { recursive: true, force: true });
  });
  const secretIsSafe = () => readFileSync(path.join(outside, "secret.txt"), "utf8") === SECRET;
  return { base, root, outside, fs, secretIsSafe };
}
