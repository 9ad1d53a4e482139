import { mkdirSync, readdirSync, rmdirSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OpenSandbox } from "./sandbox.test.support.js";

export const SECRET = "wink-canary-of-the-host";

/** The number of files that one removal which follows a link can delete. */
const VICTIMS = 200;

/**
 * Exchanges directories and files of the workspace with links as fast as it can. It also keeps each `doomed` directory
 * open and exchanges entries by descriptor, so it continues after the host has moved the directory away to delete it.
 */
const ATTACKER = `
import ctypes, os, sys
outside, what = sys.argv[1:3]
libc = ctypes.CDLL(None)
def exchange(fd, one, other):
    libc.renameat2(fd, one, fd, other, 2)
def link(target, path, fd):
    try: os.symlink(target, path, dir_fd=fd)
    except OSError: pass
root = os.open(".", os.O_DIRECTORY)
if what == "paths":
    link(outside, "dir-link", root)
    link(outside + "/leaf.txt", "leaf-link", root)
    while True:
        for _ in range(100):
            exchange(root, b"dir", b"dir-link")
            exchange(root, b"leaf.txt", b"leaf-link")
pairs = [(b"sub%d" % number, b"link%d" % number) for number in range(10)]
held = []
while True:
    try:
        os.mkdir(what, 0o777)
        held.append(os.open(what, os.O_DIRECTORY))
        if len(held) > 2: os.close(held.pop(0))
        for sub, name in pairs:
            os.mkdir(sub, 0o777, dir_fd=held[-1])
            for number in range(5):
                os.close(os.open(b"%s/%d" % (sub, number), os.O_CREAT | os.O_WRONLY, 0o666, dir_fd=held[-1]))
            link(outside + "/" + what, name, held[-1])
    except OSError: pass
    for _ in range(50):
        for fd in held:
            for sub, name in pairs: exchange(fd, sub, name)
`;

/** Creates the targets of the attacker's links. */
export function layOutside(outside: string): void {
  for (const name of ["secret.txt", "leaf.txt"]) writeFileSync(join(outside, name), SECRET);
  for (const name of ["doomed", "control"]) {
    mkdirSync(join(outside, name));
    for (let number = 0; number < VICTIMS; number++)
      writeFileSync(join(outside, name, `${number}`), SECRET);
  }
}

/** Starts the attackers. They keep running after the command that starts them. */
export async function startAttackers(box: OpenSandbox, outside: string): Promise<void> {
  const start = ["paths", "doomed", "control"]
    .map((what) => `(setsid python3 /tmp/attack.py '${outside}' ${what} >/dev/null 2>&1 &)`)
    .join("\n");
  await box.run(`cat >/tmp/attack.py <<'END'\n${ATTACKER}\nEND\n${start}`);
}

/** How many files outside of the workspace were deleted by removals that use path names. */
export function lostTo(outside: string): number {
  return VICTIMS - readdirSync(join(outside, "control")).length;
}

/** Removes a directory in the unsafe way: a listed directory may have become a link before it is entered. */
export function removeNaively(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) removeNaively(child);
    else unlinkSync(child);
  }
  rmdirSync(path);
}
