import { rangesOf } from "../list/selection.js";
import { copyText, forkCommandOf } from "../parts/fork-command.js";
import { TABS } from "../route/route.js";
import { toggleFilter } from "../state/filter.js";
import type { Inspector } from "../state/inspector.js";
import { nextScheme } from "../state/scheme.js";
import { isProblem, isTurn, openOrClose, step } from "./move.js";

export interface KeyBinding {
  /** As `KeyboardEvent.key` names them. */
  readonly keys: readonly string[];
  readonly what: string;
  readonly run: (inspector: Inspector) => void;
}

/** Every key of the page, in the order of the help. */
export const KEYS: readonly KeyBinding[] = [
  { keys: ["j"], what: "next row", run: (inspector) => step(inspector, 1) },
  { keys: ["k"], what: "previous row", run: (inspector) => step(inspector, -1) },
  { keys: ["]"], what: "next turn", run: (inspector) => step(inspector, 1, isTurn) },
  { keys: ["["], what: "previous turn", run: (inspector) => step(inspector, -1, isTurn) },
  {
    ...{ keys: ["n"], what: "next failed or undone call" },
    run: (inspector) => step(inspector, 1, isProblem(inspector)),
  },
  {
    ...{ keys: ["N"], what: "previous failed or undone call" },
    run: (inspector) => step(inspector, -1, isProblem(inspector)),
  },
  { keys: ["l"], what: "open the row", run: (inspector) => openOrClose(inspector, true) },
  {
    keys: ["h"],
    what: "close the row, or go to its parent",
    run: (inspector) => openOrClose(inspector, false),
  },
  { keys: ["g"], what: "first row", run: (inspector) => step(inspector, 1, undefined, -1) },
  {
    keys: ["G"],
    what: "last row",
    run: (inspector) => step(inspector, -1, undefined, inspector.rows.value.length),
  },
  {
    ...{ keys: ["o"], what: "show all events" },
    run: (inspector) =>
      inspector.go({ open: inspector.route.value.open.includes("all") ? [] : ["all"] }),
  },
  { keys: ["a"], what: "pin A here", run: (inspector) => pin(inspector, "a") },
  { keys: ["b"], what: "pin B here", run: (inspector) => pin(inspector, "b") },
  { keys: ["r"], what: "next range: call, turn, start, pins", run: nextRange },
  { keys: ["x"], what: "only failed calls", run: (inspector) => toggleFilter(inspector, "failed") },
  { keys: ["u"], what: "only undone calls", run: (inspector) => toggleFilter(inspector, "undone") },
  {
    keys: ["m"],
    what: "only calls that change files",
    run: (inspector) => toggleFilter(inspector, "changing"),
  },
  {
    keys: [".", "F"],
    what: "follow a run in progress",
    run: (inspector) => inspector.go({ follow: !inspector.route.value.follow }),
  },
  {
    keys: ["v"],
    what: "who wrote each line",
    run: (inspector) => inspector.go({ tab: "files", blame: !inspector.route.value.blame }),
  },
  {
    keys: ["y"],
    what: "copy the command that forks here",
    run: (inspector) => void copyText(forkCommandOf(inspector) ?? ""),
  },
  { keys: ["s"], what: "light, dark or the system's colours", run: nextScheme },
  {
    keys: ["L"],
    what: "list of runs",
    run: (inspector) => inspector.go({ run: "list", at: undefined }, "push"),
  },
  { keys: ["/"], what: "search", run: () => document.getElementById("search")?.focus() },
  {
    ...{ keys: ["?"], what: "this help" },
    run: (inspector) => {
      inspector.isHelpOpen.value = !inspector.isHelpOpen.value;
    },
  },
  ...TABS.map((tab, index) => ({
    ...{ keys: [`${(index + 1) % 10}`], what: `tab ${tab}` },
    run: (inspector: Inspector) => inspector.go({ tab }),
  })),
];

function pin(inspector: Inspector, which: "a" | "b"): void {
  const { a, b } = inspector.span.value;
  const chosen = inspector.selection.value;
  if (chosen !== undefined)
    inspector.go({ a, b, range: "pins", tab: "changes", [which]: chosen.sequence });
}

function nextRange(inspector: Inspector): void {
  const chosen = inspector.selection.value;
  if (chosen === undefined) return;
  const ranges = rangesOf(chosen);
  const next = ranges[(ranges.indexOf(inspector.route.value.range) + 1) % ranges.length];
  if (next !== undefined) inspector.go({ range: next });
}

/** Runs the binding of a key, unless the key belongs to a field. */
export function onKey(inspector: Inspector, event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : undefined;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (target?.closest("input, select, textarea, dialog")) {
    if (event.key === "Escape" && target instanceof HTMLElement) target.blur();
    return;
  }
  const binding = KEYS.find(({ keys }) => keys.includes(event.key));
  if (binding === undefined) return;
  event.preventDefault();
  binding.run(inspector);
}
