import { Deadline, type EvaluateOptions } from "@wink/prompt";

/** The run's deadline, or the end of the budget's `wallMs` if that is earlier. */
export function deadlineOf({ deadline, budget }: EvaluateOptions): Deadline | undefined {
  const wallMs = budget?.remaining().wallMs ?? Number.POSITIVE_INFINITY;
  return wallMs === Number.POSITIVE_INFINITY
    ? deadline
    : Deadline.at(Date.now() + wallMs).earliest(deadline);
}
