import { readFileSync, readlinkSync } from "node:fs";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import { tolerating } from "../process/from-node-error.js";

/** Whether another filesystem is mounted at or below `path`. Then `path` must not be moved. */
export function hasMountsBelow(root: HostRoot, path: VirtualPath): boolean {
  const directory = root.enter(path);
  try {
    const table = tolerating(["ENOENT"], () => readFileSync("/proc/self/mountinfo", "utf8"), "");
    const place = tolerating(["ENOENT"], () => readlinkSync(`/proc/self/fd/${directory.fd}`), "");
    return table.split("\n").some((line) => {
      const mount = (line.split(" ")[4] ?? "").replace(/\\([0-7]{3})/g, (_, digits: string) =>
        String.fromCharCode(Number.parseInt(digits, 8)),
      );
      return place !== "" && (mount === place || mount.startsWith(`${place}/`));
    });
  } finally {
    root.leave(directory);
  }
}
