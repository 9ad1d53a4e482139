import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The packages whose code is in the page. */
const BUNDLED = ["@preact/signals", "@preact/signals-core", "diff", "preact"];

/** One line for each bundled package: name, version, licence and copyright. */
export async function licences(): Promise<string> {
  const require = createRequire(import.meta.url);
  const nested = createRequire(require.resolve("@preact/signals"));
  const lines = BUNDLED.map(async (name) => {
    const from = name === "@preact/signals-core" ? nested : require;
    const manifest = await findManifest(dirname(from.resolve(name)), name);
    const { version, license } = manifest.value;
    const text = await readFile(join(manifest.folder, "LICENSE"), "utf8");
    const copyright = text.split("\n").find((line) => /^\s*copyright/i.test(line)) ?? "";
    return `${name} ${version}, ${license}. ${copyright.trim()}`.trim();
  });
  return (await Promise.all(lines)).join("\n");
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
}

async function findManifest(
  from: string,
  name: string,
): Promise<{ readonly folder: string; readonly value: Manifest }> {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const text = await readFile(join(folder, "package.json"), "utf8").catch(() => "{}");
    const value: Manifest = JSON.parse(text);
    if (value.name === name) return { folder, value };
  }
  throw new Error(`package '${name}': not installed. Run \`pnpm install\`.`);
}
