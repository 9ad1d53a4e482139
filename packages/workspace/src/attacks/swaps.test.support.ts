import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Move } from "./interposer.test.support.js";
import type { Place } from "./place.test.support.js";

/** What an attacker puts in the place of an entry. */
type Bait =
  | { readonly linkTo: string }
  | { readonly hardLinkTo: string }
  | { readonly exchangeWith: string }
  | "fifo"
  | "file"
  | "directory"
  | "nothing";

/** A change that an attacker makes to a tree at one moment. Targets are below the tree; `.` is the tree itself. */
export interface Swap {
  readonly name: string;
  readonly moves: Readonly<Record<string, Bait>>;
  /** Whether everything is put back before the next call. @default false */
  readonly reversed?: boolean;
}

const FILES = ["leaf.txt", "dir/file.txt", "dir/sub/deep.txt", "gone/a.txt"];
const FILES_TO_LINKS = {
  "leaf.txt": { linkTo: "leaf.txt" },
  "dir/file.txt": { linkTo: "file.txt" },
  "dir/sub/deep.txt": { linkTo: "sub/deep.txt" },
  "gone/a.txt": { linkTo: "a.txt" },
};
const TO_LINKS = { dir: { linkTo: "." }, gone: { linkTo: "." } };
const INNER_TO_LINKS = { "dir/sub": { linkTo: "sub" } };

export const SWAPS: readonly Swap[] = [
  { name: "a directory becomes a link", moves: TO_LINKS },
  { name: "a directory becomes a link for one call", moves: TO_LINKS, reversed: true },
  { name: "an inner directory becomes a link", moves: INNER_TO_LINKS },
  {
    name: "an inner directory becomes a link for one call",
    moves: INNER_TO_LINKS,
    reversed: true,
  },
  { name: "files become links", moves: FILES_TO_LINKS },
  { name: "files become links for one call", moves: FILES_TO_LINKS, reversed: true },
  { name: "files become FIFOs", moves: each(FILES, "fifo") },
  { name: "files become directories", moves: each(FILES, "directory") },
  { name: "files become other files", moves: each(FILES, { hardLinkTo: "other/file.txt" }) },
  { name: "directories become files", moves: each(["dir/sub", "gone"], "file") },
  { name: "two directories change places", moves: { dir: { exchangeWith: "other" } } },
  { name: "entries are removed", moves: each(["leaf.txt", "dir/file.txt", "dir/sub"], "nothing") },
  { name: "a parent is removed", moves: { dir: "nothing", gone: "nothing" } },
  { name: "the root becomes a link", moves: { ".": { linkTo: "." } } },
  {
    name: "new names become links",
    // The inner link first, because the attacker must not follow the outer one.
    moves: {
      "new.txt": { linkTo: "new.txt" },
      "dir/new.txt": { linkTo: "new.txt" },
      "new/deep": { linkTo: "." },
      new: { linkTo: "." },
      "dir/sub/new": { linkTo: "new" },
    },
  },
  {
    name: "new names become directories",
    moves: each(["new.txt", "dir/new.txt", "new/deep", "new"], "directory"),
  },
  {
    name: "temporary names become links",
    moves: {
      ".wink-tmp-*": { linkTo: "leaf.txt" },
      "dir/.wink-tmp-*": { linkTo: "file.txt" },
      "dir/sub/.wink-tmp-*": { linkTo: "sub" },
      "new/.wink-tmp-*": { linkTo: "." },
    },
  },
];

function each(paths: readonly string[], bait: Bait): Swap["moves"] {
  return Object.fromEntries(paths.map((path) => [path, bait]));
}

/** Creates the baits and returns the pairs of paths to swap. */
export function prepareSwap({ moves }: Swap, tree: string, place: Place): readonly Move[] {
  return Object.entries(moves).map(([path, bait], index) => {
    const target = path === "." ? tree : join(tree, path);
    if (bait === "nothing") return { target, bait: "" };
    if (typeof bait === "object" && "exchangeWith" in bait)
      return { target, bait: join(tree, bait.exchangeWith) };
    const laid = join(place.bait, `${index}`);
    if (bait === "fifo") linkSync(place.fifo, laid);
    else if (bait === "file") writeFileSync(laid, "bait\n");
    else if (bait === "directory") {
      mkdirSync(laid);
      writeFileSync(join(laid, "inner.txt"), "bait\n");
    } else if ("hardLinkTo" in bait) linkSync(join(tree, bait.hardLinkTo), laid);
    else symlinkSync(join(place.outside, bait.linkTo), laid);
    return { target, bait: laid };
  });
}
