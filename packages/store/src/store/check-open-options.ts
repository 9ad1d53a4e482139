import { checkChoice, checkNumber, checkOptions, checkTime } from "../engine/check-options.js";
import type { OpenOptions } from "./store.js";

const NAMES = ["create", "minVersion", "durability", "leaseMs", "takeOver", "signal"];

/** Refuses wrong options: a durability or a take-over that is misspelt would silently be another one. */
export function checkOpenOptions(options: OpenOptions): void {
  checkOptions("open", options, NAMES);
  checkChoice("create", options.create, [true, false]);
  checkNumber("minVersion", options.minVersion, 0);
  checkChoice("durability", options.durability, ["call", "turn"]);
  checkTime("leaseMs", options.leaseMs);
  checkChoice("takeOver", options.takeOver, ["expired", "always"]);
}
