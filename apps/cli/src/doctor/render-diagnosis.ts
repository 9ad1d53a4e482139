import type { Io } from "../terminal/io.js";
import { colorsFor } from "../terminal/print.js";
import { wrap } from "../terminal/terminal-text.js";
import type { Check, Diagnosis } from "./check.js";

/** For people: one line per check, and below it what to do if there is a problem. */
export function renderDiagnosis(io: Io, { usable, checks }: Diagnosis): string {
  const colors = colorsFor(io);
  const marks: Readonly<Record<Check["status"], string>> = {
    ok: colors.green("✓"),
    warning: colors.yellow("!"),
    failed: colors.red("✗"),
  };
  const width = Math.max(...checks.map(({ name }) => name.length));
  const indent = " ".repeat(width + 4);
  const wrapped = (text: string) => wrap(text, Math.max(20, io.columns - indent.length));
  const lines = checks.flatMap(({ name, status, message, action }) => {
    const [first = "", ...more] = wrapped(message);
    const actions = action === undefined ? [] : wrapped(action).map(colors.cyan);
    const start = `${marks[status]} ${colors.bold(name.padEnd(width))}  ${first}`;
    return [start, ...[...more, ...actions].map((line) => `${indent}${line}`)];
  });
  return [...lines, "", summary({ usable, checks })].join("\n");
}

function summary({ usable, checks }: Diagnosis): string {
  if (!usable) return "wink does not work here yet: see the lines marked ✗.";
  const warnings = checks.some(({ status }) => status === "warning");
  return warnings ? "wink works here, except for the features marked !." : "Everything works here.";
}
