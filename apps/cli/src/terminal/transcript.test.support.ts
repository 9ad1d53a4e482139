import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

/** Compares with the stored transcript `name`. WINK_WRITE_TRANSCRIPTS=1 overwrites it instead. */
export function expectTranscript(name: string, text: string): void {
  const path = fileURLToPath(new URL(`../../fixtures/transcripts/${name}.txt`, import.meta.url));
  if (process.env["WINK_WRITE_TRANSCRIPTS"]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const kept = existsSync(path) ? readFileSync(path, "utf8") : "";
  expect(text, "WINK_WRITE_TRANSCRIPTS=1 rewrites the transcripts when this is meant").toBe(kept);
}
