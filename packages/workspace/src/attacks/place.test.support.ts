import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/**
 * The content of every file outside. Its bytes are above 143, so that deflate stores them unchanged. So a search
 * through the raw bytes of a snapshot store finds them too.
 */
export const CANARY = "ҥۦЯߗڝҙԷݕߓؽۺҿՍڴޱѮߚۧӷܔھӝҭݬ";
const CANARY_BYTES = Buffer.from(CANARY);
/** As in `hold_parents` of interposer.test.c. */
const FIRST_OF_INTERPOSER = 600;
/** A name that is only there outside. */
export const OUTSIDE_NAME = "only-outside.txt";

/** The directories of one trial. */
export interface Place {
  /** The parent of all other directories. */
  readonly top: string;
  readonly workspace: string;
  /** A directory that is mounted, with the same files as the workspace. */
  readonly host: string;
  /** The directory that no operation may read or change. */
  readonly outside: string;
  readonly store: string;
  readonly state: string;
  readonly temporary: string;
  readonly bait: string;
  /** A FIFO for links. */
  readonly fifo: string;
}

export function placeAt(top: string): Place {
  return {
    top,
    workspace: join(top, "files/workspace"),
    host: join(top, "mounted/host"),
    outside: join(top, "outside"),
    store: join(top, "store"),
    state: join(top, "state"),
    temporary: join(top, "tmp"),
    bait: join(top, "bait"),
    fifo: join(top, "fifo"),
  };
}

const FILES: Readonly<Record<string, string>> = {
  "leaf.txt": "inside: leaf\n",
  "dir/file.txt": "inside: file\n",
  "dir/other.txt": "inside: other\n",
  "dir/sub/deep.txt": "inside: deep\n",
  "dir/sub/run.sh": "inside: program\n",
  "gone/a.txt": "inside: a\n",
  "other/file.txt": "inside: another file\n",
  "other/sub/deep.txt": "inside: another deep\n",
  "large.bin": "inside: large\n".repeat(9_000),
};
const OUTSIDE_FILES = [
  ...["leaf.txt", "file.txt", "other.txt", "deep.txt", "a.txt", OUTSIDE_NAME],
  ...["sub/deep.txt", "sub/run.sh", `sub/${OUTSIDE_NAME}`, "new/deep.txt", "b.txt"],
];

/** Creates everything except the files outside, in the state before a trial. */
export function layOut(place: Place): void {
  const { top, workspace, host, temporary, bait } = place;
  for (const name of ["files", "mounted", "store", "state", "tmp", "bait"])
    rmSync(join(top, name), { recursive: true, force: true });
  for (const directory of [temporary, bait]) mkdirSync(directory, 0o700);
  for (const base of [workspace, host]) {
    for (const [path, content] of Object.entries(FILES)) put(join(base, path), content);
    chmodSync(join(base, "dir/sub/run.sh"), 0o755);
    // An undo needs another call to restore this mode.
    chmodSync(join(base, "gone"), 0o777);
    symlinkSync("leaf.txt", join(base, "link"));
  }
}

/** Creates the files outside. Only the owner has permissions on them. */
export function layOutside({ outside, fifo }: Place): void {
  for (const path of [outside, fifo]) rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(fifo), { recursive: true });
  execFileSync("mkfifo", [fifo]);
  for (const path of OUTSIDE_FILES) {
    put(join(outside, path), CANARY);
    chmodSync(join(outside, path), 0o600);
    chmodSync(dirname(join(outside, path)), 0o700);
  }
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Changes with every change outside: names, contents, modes, links, times. */
export function fingerprint(directory: string): string {
  const lines: string[] = [];
  for (const path of everythingIn(directory)) {
    const { ino, mode, nlink, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    lines.push([path, ino, mode.toString(8), nlink, size, mtimeNs, ctimeNs].join(" "));
  }
  return lines.join("\n");
}

/** Names, kinds, execute bits and contents below a directory. */
export function manifest(directory: string): readonly string[] {
  return everythingIn(directory)
    .filter((path) => path !== directory && !path.includes("/.wink-tmp-"))
    .map((path) => {
      const stat = lstatSync(path);
      const name = path.slice(directory.length + 1);
      if (stat.isDirectory()) return `${name}/`;
      if (stat.isSymbolicLink()) return `${name} -> ${readlinkSync(path)}`;
      return `${name} ${stat.mode & 0o100 ? "x" : "-"} ${readFileSync(path, "latin1")}`;
    })
    .sort();
}

/** The files that contain content or names from outside. */
export function leaksIn({ top, outside }: Place): readonly string[] {
  return everythingIn(top).filter((path) => {
    if (path === outside || path.startsWith(`${outside}/`)) return false;
    if (path.endsWith(`/${OUTSIDE_NAME}`)) return true;
    return lstatSync(path).isFile() && readFileSync(path).includes(CANARY_BYTES);
  });
}

/**
 * What this process still has open in a place. The interposer's own descriptors have high numbers. The files of a
 * store do not count, because `readFileSync` of Node leaves its descriptor open when `fstat` fails.
 */
export function openIn({ top, store }: Place): readonly string[] {
  return readdirSync("/proc/self/fd")
    .filter((fd) => Number(fd) < FIRST_OF_INTERPOSER)
    .flatMap((fd) => {
      try {
        const path = readlinkSync(`/proc/self/fd/${fd}`);
        return path.startsWith(`${top}/`) && !path.startsWith(`${store}/`) ? [path] : [];
      } catch {
        // The descriptor of this very listing.
        return [];
      }
    });
}

function everythingIn(directory: string): readonly string[] {
  const found = [directory];
  // The list grows during the loop.
  for (const path of found)
    if (lstatSync(path).isDirectory())
      for (const name of readdirSync(path)) found.push(`${path}/${name}`);
  return found;
}
