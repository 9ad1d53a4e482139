import type { Stats } from "node:fs";
import type { DriverStat } from "../../driver/driver.js";
import { timeOf } from "./node-attributes.js";
import { kindOf } from "./pinned-directory.js";

export function driverStat(stat: Stats): DriverStat {
  return {
    kind: kindOf(stat),
    sizeBytes: stat.size,
    mode: stat.mode & 0o777,
    createdAtMs: Math.floor(stat.birthtimeMs),
    modifiedAtMs: timeOf(stat),
  };
}
