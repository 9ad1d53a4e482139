import { type HostilePath, rowsOf } from "./hostile-path.js";

/**
 * What an attacker would like to reach: next to the root, below a sibling, in a sibling with the root's prefix, far up.
 */
const TARGETS = ["secret.txt", "outside/secret.txt", "root-evil/secret.txt", "../../etc/passwd"];

const WITH_SLASHES = [
  "../",
  "./../",
  "../../",
  "a/../../",
  "a/b/../../../",
  "a/./../../",
  "a//../../",
  "missing/../../",
  "../a/../",
  ".//..//",
  "/../",
  "//../",
  "/./../",
  "/a/../../",
  "a/../b/../../",
  "x/x/x/x/../../../../../",
];

const WITH_BACKSLASHES = [
  "..\\",
  ".\\..\\",
  "a\\..\\..\\",
  "\\..\\",
  "a/..\\../",
  "a\\../..\\",
  "..\\..\\",
  "\\\\..\\",
  "C:\\..\\..\\",
];

const ENDINGS = [
  "..",
  "../",
  "../.",
  "../..",
  "a/../..",
  "./..",
  "/..",
  "/../",
  "..\\",
  "\\..",
  "a/b/../../..",
  ".././",
];

/** Each of these paths ends above the root. */
export const climbing: readonly HostilePath[] = [
  ...rowsOf(
    "EACCES",
    "escapes the root",
    WITH_SLASHES.flatMap((climb) => TARGETS.map((target) => climb + target)),
  ),
  ...rowsOf(
    "EACCES",
    "escapes the root with backslashes",
    WITH_BACKSLASHES.flatMap((climb) => TARGETS.map((target) => climb + target)),
  ),
  ...rowsOf("EACCES", "names the directory above the root", ENDINGS),
  ...rowsOf("EACCES", "has very many parent segments", [
    `${"../".repeat(100)}etc/passwd`,
    `${"..\\".repeat(100)}windows\\win.ini`,
    `${"a/".repeat(50)}${"../".repeat(51)}secret.txt`,
    `${"./".repeat(500)}../secret.txt`,
  ]),
];
