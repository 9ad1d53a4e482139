import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { saveFile } from "@wink/filesystem/host";

/** In a clone this file is a source. In an installed package it is compiled, and the page is next to it. */
const IS_CLONE = import.meta.url.endsWith(".ts");

/** Reads the HTML of the page, with the two placeholders of `buildPage`. In a clone the page is built if a source is newer. */
export async function findPage(): Promise<string> {
  if (!IS_CLONE) return await readFile(new URL("../index.html", import.meta.url), "utf8");
  const folder = fileURLToPath(new URL("../..", import.meta.url));
  const file = join(folder, "dist", "index.html");
  const newest = await newestChange(folder);
  const built = await stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  if (built > newest) return await readFile(file, "utf8");
  // The build needs Vite, which an installed package does not have, so the compiler must not see this import.
  const { href } = new URL("../build/build-page.ts", import.meta.url);
  const { buildPage }: { buildPage(): Promise<string> } = await import(href);
  const page = await buildPage();
  saveFile(file, page, 0o644);
  return page;
}

/** When a source of the page changed last, in milliseconds since 1970. The page contains parts of `@wink/filesystem`. */
async function newestChange(folder: string): Promise<number> {
  const own = await listSources(join(folder, "src"));
  const others = await listSources(join(folder, "../../packages/filesystem/src"));
  const fixed = ["index.html", "package.json"].map((file) => join(folder, file));
  const times = await Promise.all(
    [...own, ...others, ...fixed].map(
      async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0,
    ),
  );
  return Math.max(...times);
}

async function listSources(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder, { recursive: true });
  return files
    .filter((file) => /\.(tsx?|css)$/.test(file) && !file.includes(".test."))
    .map((file) => join(folder, file));
}
