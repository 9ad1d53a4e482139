import { fieldsOf, listOf } from "./run-facts.js";
import type { StateView } from "./run-views.js";

export interface PlanView {
  readonly objective: string;
  readonly status: string;
  readonly steps: readonly {
    readonly id: string;
    readonly title: string;
    readonly details: string;
    readonly status: string;
  }[];
}

/** The plan in a session's state, or `undefined` if there is none. */
export function planOf({ slices }: StateView): PlanView | undefined {
  const slice = slices.find(({ name }) => name === "plan");
  const { objective, status, steps } = fieldsOf(slice?.value);
  if (listOf(steps).length === 0 && !objective) return undefined;
  return {
    objective: String(objective ?? ""),
    status: String(status ?? ""),
    steps: listOf(steps).map((step) => {
      const { id, title, details = "", status: state } = fieldsOf(step);
      return {
        id: String(id),
        title: String(title),
        details: String(details),
        status: String(state),
      };
    }),
  };
}
