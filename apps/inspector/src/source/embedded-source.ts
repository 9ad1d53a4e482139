import { LocalSource } from "./local-source.js";
import { elementsOf, PageChunks, type PageElements } from "./page-chunks.js";
import { PageData } from "./page-data.js";
import { unknown } from "./require-argument.js";
import type { RunSource } from "./run-source.js";

/** The source over the data of an exported page, or `undefined` if the page has none. */
export async function embeddedSource(
  page: Pick<Document, "querySelector"> | PageElements,
): Promise<RunSource | undefined> {
  const chunks = new PageChunks("querySelector" in page ? elementsOf(page) : page);
  const manifest = await chunks.manifest();
  if (manifest === undefined) return undefined;
  const { runs, open, compare, contents, data } = manifest;
  const catalog = {
    async open(key: string) {
      const run = Object.hasOwn(data, key) ? data[key] : undefined;
      if (run === undefined) throw unknown(`Run ${key}`);
      return new PageData(chunks, manifest, run);
    },
  };
  return new LocalSource(catalog, async () => ({ runs, open, compare, contents, isLive: false }));
}
