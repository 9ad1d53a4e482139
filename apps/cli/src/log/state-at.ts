import type { Session } from "@wink/session";
import { Plan, type PlanStep, type VfsFile, VirtualFileSystem, vfsFiles } from "@wink/tools";
import type { Colors } from "../terminal/print.js";
import { oneLine } from "../terminal/terminal-text.js";
import { count, size } from "../view/amounts.js";
import { planLines } from "../view/plan-lines.js";

/** The session state after one event. */
export interface StateAt {
  readonly sequence: number;
  readonly objective: string;
  readonly steps: readonly PlanStep[];
  /** Version 0 is the file at the start of the run. */
  readonly files: readonly Pick<VfsFile, "path" | "version" | "sizeBytes" | "tool">[];
  /** The names of the other slices in the session. */
  readonly otherSlices: readonly string[];
}

/** The slices that are shown. Replay the log with them. */
export const SHOWN_SLICES = [Plan, VirtualFileSystem] as const;

export function stateOf(session: Session, sequence: number): StateAt {
  const { objective, steps } = session.state(Plan);
  const shown: ReadonlySet<string> = new Set(SHOWN_SLICES.map(({ name }) => name));
  return {
    sequence,
    objective,
    steps,
    files: vfsFiles(session).map(({ path, version, sizeBytes, tool }) => ({
      path,
      version,
      sizeBytes,
      tool,
    })),
    otherSlices: Object.keys(session.toJSON().slices).filter((name) => !shown.has(name)),
  };
}

/** Lists the changed files first; the other files are only counted. */
export function renderState(state: StateAt, colors: Colors, columns: number): string {
  const changed = state.files.filter(({ version }) => version > 0);
  const same = state.files.length - changed.length;
  const plan = { objective: state.objective, status: "active" as const, steps: [...state.steps] };
  return [
    colors.bold(`After event ${state.sequence}`),
    ...(state.steps.length === 0 ? [] : ["", colors.bold(`Plan: ${oneLine(plan.objective, 60)}`)]),
    ...planLines(plan, { colors, width: columns - 2 }).map((line) => `  ${line}`),
    "",
    colors.bold(`Files: ${count(state.files.length, "file")}`),
    ...changed.map(
      ({ path, version, sizeBytes, tool }) =>
        `  ${oneLine(path, Math.max(20, columns - 40))}  ${colors.dim(`version ${version}, ${size(sizeBytes)}, by ${oneLine(tool, 20)}`)}`,
    ),
    `  ${count(same, "file")} unchanged since the start`,
  ].join("\n");
}
