import { InMemoryFilesystem } from "../backend/in-memory-filesystem.js";
import { concatBytes } from "../content/bytes.js";
import { compareTrees } from "../patch/compare-trees.js";
import { mergeText } from "../patch/merge-text.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import { ascii, encodeHeader } from "../tar/tar-format.js";
import { encodePax } from "../tar/tar-pax.js";

type Work = () => Promise<unknown>;

const MEGABYTE = 1_000_000;

/** The result of a comparison takes up to a kilobyte per file, in addition to the limit of 64 MB. */
export function listedMegabytes(name: string): number {
  const [, files = "0"] = /: ([\d,]+) .*files/.exec(name) ?? [];
  return Number(files.replace(",", "")) / 1_000;
}

/**
 * Trees, files and archives that an agent or a stranger can make. Each entry prepares its data and returns the work
 * to measure.
 */
export const hostileTexts: Readonly<Record<string, () => Promise<Work>>> = {
  "diff: 12,000 equal files with new names": () => moved(12_000, () => "equal"),
  "diff: 12,000 empty files with new names": () => moved(12_000, () => ""),
  "diff: 12,000 files with equal ends and different middles": () =>
    moved(12_000, (index) => `${"a".repeat(64)}${index}`.padEnd(80, " ") + "a".repeat(64)),
  "diff: 12,000 binary files that begin with equal bytes": () =>
    moved(12_000, (index) => Uint8Array.of(...new Uint8Array(70), 0xff, index & 255, index >> 8)),
  "compare: 200,000 equal files with new names": async () => {
    const [before, after] = [equalFiles("a", 200_000), equalFiles("b", 200_000)];
    return () => compareTrees(before, after);
  },
  "compare: 12,000 equal files of different backends": async () => {
    const [before, after] = [equalFiles("a", 12_000), equalFiles("b", 12_000)];
    return () => compareTrees(before, after, { sameBackend: false });
  },
  "patch: a megabyte of lines in reverse": () =>
    patch(numbered(150_000), numbered(150_000).toReversed()),
  "patch: a megabyte of other lines": () =>
    patch(
      numbered(150_000),
      numbered(150_000).map((line) => `x${line}`),
    ),
  "patch: a megabyte of line ends and letters": () =>
    patch(repeated("\n", "a\n"), repeated("a\n", "\n")),
  "patch: lines of two kinds in random order": () =>
    patch(scattered(7, 400_000), scattered(11, 400_000)),
  "merge: a megabyte of lines in reverse": async () => {
    const lines = numbered(150_000);
    const [base, ours] = [lines.join(""), lines.toReversed().join("")];
    const theirs = `${base}x\n`;
    return async () => await mergeText(base, ours, theirs);
  },
  "archive: a name of half a million directories": () => archive(["a/".repeat(MEGABYTE / 2 - 50)]),
  "archive: names of 4,000 directories each": () =>
    archive(Array.from({ length: 4 }, (_, index) => `${index}/${"a/".repeat(4_000)}x`)),
  "archive: a name of a megabyte that climbs out": () => archive([`../${"a".repeat(MEGABYTE)}`]),
  "archive: a megabyte of records": async () => {
    const records = new Map(
      Array.from({ length: 80_000 }, (_, index) => [`k${index}`, ascii("v")] as const),
    );
    const bytes = tarOf([{ type: "x", name: "x", content: encodePax(records) }]);
    return () => importing(bytes);
  },
};

/** A filesystem in memory in which every file got another name and directory after the snapshot. */
async function moved(
  count: number,
  content: (index: number) => string | Uint8Array,
): Promise<Work> {
  const names = Array.from({ length: count }, (_, index) => String(index).padStart(6, "0"));
  const filesystem = new InMemoryFilesystem({
    files: Object.fromEntries(names.map((name, index) => [`old/${name}`, content(index)])),
  });
  const before = await filesystem.snapshot();
  await filesystem.delete("old", { recursive: true });
  for (const [index, name] of names.entries()) {
    const bytes = content(index);
    if (typeof bytes === "string") await filesystem.write(`new/x${name}`, bytes);
    else await filesystem.writeBytes(`new/x${name}`, bytes);
  }
  return async () => await (await filesystem.diff(before)).toPatch();
}

function equalFiles(folder: string, count: number): TreeView {
  const bytes = ascii("equal");
  const entries = Array.from(
    { length: count },
    (_, index): TreeEntry => ({
      path: `${folder}/${folder}${String(index).padStart(6, "0")}` as VirtualPath,
      kind: "file",
      executable: false,
      sizeBytes: bytes.length,
      contentId: "equal",
      read: () => bytes,
    }),
  );
  return { entries: () => entries };
}

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${index}\n`);
}

function repeated(...lines: readonly string[]): readonly string[] {
  return Array.from({ length: 400_000 }, (_, index) => lines[index % lines.length] ?? "");
}

/** The same lines in an order that depends only on the seed. */
function scattered(seed: number, count: number): readonly string[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state > 0x8000_0000 ? "a\n" : "\n";
  });
}

async function patch(before: readonly string[], after: readonly string[]): Promise<Work> {
  const filesystem = new InMemoryFilesystem({ files: { f: before.join("") } });
  const snapshot = await filesystem.snapshot();
  await filesystem.write("f", after.join(""), { mode: "overwrite" });
  return async () => await (await filesystem.diff(snapshot)).toPatch();
}

interface TarItem {
  readonly type: string;
  readonly name: string;
  readonly content?: Uint8Array;
}

function tarOf(items: readonly TarItem[]): Uint8Array {
  const blocks = items.flatMap(({ type, name, content = new Uint8Array() }) => {
    const header = {
      name: ascii(name),
      mode: 0o644,
      type,
      modifiedAtSeconds: 0,
      linkName: ascii(""),
    };
    const padding = new Uint8Array((512 - (content.length % 512)) % 512);
    return [encodeHeader({ ...header, sizeBytes: content.length }), content, padding];
  });
  return concatBytes([...blocks, new Uint8Array(1024)]);
}

async function archive(names: readonly string[]): Promise<Work> {
  const bytes = tarOf(
    names.flatMap((name) => [
      { type: "L", name: "long", content: ascii(`${name}\0`) },
      { type: "0", name: "short" },
    ]),
  );
  return () => importing(bytes);
}

/** The archive may be refused. The same limits apply then. */
async function importing(bytes: Uint8Array): Promise<void> {
  await new InMemoryFilesystem().importSnapshot([bytes]).catch(() => {});
}
