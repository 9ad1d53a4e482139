import { type HostilePath, rowsOf } from "./hostile-path.js";

/** U+0000 to U+001F and U+007F to U+009F. */
const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => character < " " || character > "~",
);

/** None of these is a valid path. */
export const malformed: readonly HostilePath[] = [
  ...rowsOf(
    "EINVAL",
    "contains a control character",
    CONTROLS.map((control) => `a${control}b.txt`),
  ),
  ...rowsOf("EINVAL", "hides text after a null byte", [
    "\0",
    "ok.txt\0.png",
    "\0/../secret.txt",
    "../secret.txt\0",
    "../secret.txt\0.txt",
    "a/\0/b",
    "/etc/passwd\0",
  ]),
  ...rowsOf("EINVAL", "contains terminal escape sequences", [
    "\u001b[2J\u001b[H",
    "\u001b]0;owned\u0007",
    "a\rb",
    "a\nb",
    "line\n../secret.txt",
    "\u009b31m",
  ]),
  ...rowsOf("EINVAL", "contains half a surrogate pair", [
    "\ud800",
    "\udfff",
    "a\ud83d",
    "\ude00b",
    "\ude00\ud83d",
    "a/\ud800/b",
    "\ud800../secret.txt",
  ]),
];
