import { planOf } from "../../model/plan-of.js";
import { Text } from "../code/text.js";
import type { Selection } from "../list/selection.js";
import { Empty, Pending } from "../parts/pending.js";
import { useAnswer } from "../state/use-answer.js";

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  completed: ["✓", "good"],
  done: ["✓", "good"],
  in_progress: ["●", "undone"],
  blocked: ["✗", "bad"],
  cancelled: ["–", "dim"],
};

/** The plan after the selected event. */
export function PlanTab({ selection: { run, sequence } }: { readonly selection: Selection }) {
  const answer = useAnswer(`${run}/${sequence}/state`, (source) => source.state(run, sequence));
  return (
    <Pending answer={answer} what="the plan">
      {(state) => {
        const plan = planOf(state);
        if (plan === undefined)
          return (
            <Empty title="No plan at this event">
              The agent has not written a plan yet, or it has no planning tools.
            </Empty>
          );
        const done = plan.steps.filter(({ status }) => SIGNS[status]?.[1] === "good").length;
        return (
          <>
            <div class="bar">
              <b>
                <Text text={plan.objective} />
              </b>
              <div class="right dim">
                {done} of {plan.steps.length} done · {plan.status}
              </div>
            </div>
            <ol class="steps">
              {plan.steps.map(({ id, title, details, status }) => {
                const [sign, tone] = SIGNS[status] ?? ["○", "dim"];
                return (
                  <li key={id}>
                    <span class={tone} aria-hidden="true">
                      {sign}
                    </span>
                    <span>
                      <Text text={title} />
                      {details !== "" && (
                        <div class="dim">
                          <Text text={details} />
                        </div>
                      )}
                    </span>
                    <span class="dim">{status.replaceAll("_", " ")}</span>
                  </li>
                );
              })}
            </ol>
          </>
        );
      }}
    </Pending>
  );
}
