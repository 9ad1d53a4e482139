import { readFile } from "node:fs/promises";
import { embeddedSource } from "../source/embedded-source.js";
import type { RunSource } from "../source/run-source.js";
import { SourceError } from "../source/source-error.js";

/** The runs in a page that this or an earlier version exported. Rejects with `MISSING` if the file is not such a page. */
export async function openPage(file: string): Promise<RunSource> {
  const html = await readFile(file, "utf8");
  // The exporter writes this form, and base64 has no `<`.
  const elements = html.matchAll(/<script type="text\/plain" data-wink="(\w+)">([^<]*)<\/script>/g);
  const texts = new Map(Array.from(elements, ([, name = "", text = ""]) => [name, text]));
  const source = await embeddedSource({ text: (name) => texts.get(name) });
  if (source !== undefined) return source;
  throw new SourceError(
    "MISSING",
    "This page has no runs. Name a page that `wink inspect --export` wrote.",
  );
}
