import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Operation } from "./operations.test.support.js";
import type { Place } from "./place.test.support.js";

/** Examples of wrong operations. The attacks must find the mistake in each of them. */
export const NAIVE_OPERATIONS: readonly Operation[] = [
  naive("a read that checks the path first", ({ workspace }) => {
    const path = join(workspace, "dir/file.txt");
    if (!realpathSync.native(path).startsWith(`${workspace}/`)) return "refused";
    return withOpen(path, constants.O_RDONLY, (fd) => readFileSync(fd, "utf8"));
  }),
  naive("a write that checks the path first", ({ workspace }) => {
    const path = join(workspace, "leaf.txt");
    if (lstatSync(path).isSymbolicLink()) return "refused";
    return withOpen(path, constants.O_WRONLY, (fd) => writeFileSync(fd, "changed\n"));
  }),
  naive("a loop that waits for a file", ({ workspace }) => {
    while (lstatSync(join(workspace, "leaf.txt"), { throwIfNoEntry: false }) === undefined);
  }),
  naive("a copy that ignores errors", ({ workspace }) => {
    try {
      const content = withOpen(join(workspace, "leaf.txt"), constants.O_RDONLY, (fd) =>
        readFileSync(fd),
      );
      writeFileSync(join(workspace, "dir/new.txt"), content);
    } catch {}
  }),
];

/** Opens without blocking, because a blocked process costs the test minutes. */
function withOpen<T>(path: string, flags: number, work: (fd: number) => T): T {
  const fd = openSync(path, flags | constants.O_NONBLOCK);
  try {
    return work(fd);
  } finally {
    closeSync(fd);
  }
}

function naive(name: string, run: (place: Place) => unknown): Operation {
  return {
    name,
    on: "workspace",
    leaves: "old or new tree",
    prepare: async (place) => ({ run: async () => run(place), close: async () => {} }),
  };
}
