import {
  type BoundPrompt,
  Budget,
  Deadline,
  type EvaluateOptions,
  type PromptResponse,
} from "@wink/prompt";
import type { Session } from "@wink/session";
import { AdapterError } from "../../error/adapter-error.js";
import { resourceOf } from "../transaction/call-resource.js";
import { type Continuation, continuationOf } from "./continued-run.js";
import type { LoopState } from "./loop-state.js";
import { promptHash } from "./prompt-hash.js";
import { readOutput } from "./read-output.js";

/** How an evaluation starts. */
export interface PreparedEvaluation<Output> {
  readonly options: EvaluateOptions;
  /** Where it continues. `undefined` for a new evaluation. */
  readonly from?: LoopState;
  /** The response, if the model has given its final answer already. */
  readonly response?: PromptResponse<Output>;
}

/** Finds out where the run of `options` continues, and with which limits. */
export async function continueEvaluation<Output>(
  prompt: BoundPrompt<Output>,
  options: EvaluateOptions,
): Promise<PreparedEvaluation<Output>> {
  const continued = options.run && (await continuationOf(options.run));
  if (continued === undefined) return { options };
  await prompt.open();
  const isSame = requireSamePrompt(prompt, options, continued);
  const from = isSame ? continued.from : withNewText(continued.from);
  const response = continued.isCompleted ? await responseOf(prompt, options, from) : undefined;
  if (response !== undefined) return { options, response };
  return { options: { ...options, ...limitsOf(options, continued) }, from };
}

/** The model must see the text of the changed prompt, although the cached one was another. */
function withNewText(from: LoopState): LoopState {
  return { ...from, context: from.context && { ...from.context, system: undefined } };
}

/** Returns whether the prompt is the same. Throws `AGENT_CHANGED` if it is not and the caller does not allow that. */
function requireSamePrompt(
  prompt: BoundPrompt,
  { session, onAgentChanged }: EvaluateOptions,
  continued: Continuation,
): boolean {
  const name = `${prompt.ns}/${prompt.key}`;
  // Without a hash, the run ended before a model saw the prompt.
  const isSame =
    name === continued.prompt &&
    ["", promptHash(prompt.render({ session }))].includes(continued.hash);
  if (isSame || onAgentChanged === "continue") return isSame;
  const reason =
    name === continued.prompt
      ? `the prompt '${name}' has changed since the run began. Pass onAgentChanged: "continue" to continue with the new one`
      : `the run began with the prompt '${continued.prompt}', not with '${name}'`;
  throw new AdapterError("AGENT_CHANGED", { subject: "run", reason });
}

/** The limits count from the start of the run, also if the caller gives the same ones again. */
function limitsOf(
  { deadline, budget, maxTurns, session, renewLimits = false }: EvaluateOptions,
  { limits, spent, workedMs }: Continuation,
): Pick<EvaluateOptions, "deadline" | "budget" | "maxTurns"> {
  if (renewLimits) return {};
  const recorded = limits.deadline === undefined ? undefined : Deadline.at(limits.deadline);
  const turns = maxTurns ?? limits.maxTurns;
  return {
    ...(recorded !== undefined && { deadline: recorded }),
    ...(turns !== undefined && { maxTurns: turns }),
    ...(limits.budget !== undefined && {
      budget: spentBudget(session, budget ?? new Budget(limits.budget), {
        ...{ limits, spent, workedMs },
      }),
    }),
    ...(limits.budget === undefined && budget !== undefined && { budget }),
    ...(recorded === undefined && deadline !== undefined && { deadline }),
  };
}

/** Counts in `outer` what earlier processes used. Returns `outer`, or a child of it with the remaining time. */
function spentBudget(
  session: Session,
  outer: Budget,
  { limits, spent, workedMs }: Pick<Continuation, "limits" | "spent" | "workedMs">,
): Budget {
  // A budget that this run used in this process has counted it already.
  if (!resourceOf(session).budgets.has(outer)) outer.spend(spent);
  const wallMs = limits.budget?.["wallMs"];
  return wallMs === undefined ? outer : outer.child({ wallMs: Math.max(0, wallMs - workedMs) });
}

/** `undefined` if the answer does not match the output of the changed prompt. */
async function responseOf<Output>(
  prompt: BoundPrompt<Output>,
  { session }: EvaluateOptions,
  { open, usage }: LoopState,
): Promise<PromptResponse<Output> | undefined> {
  const { text } = open?.answer ?? { text: "" };
  const { output } = prompt.render({ session });
  const read = output && (await readOutput(text, output));
  if (read?.success === false) return undefined;
  // Without an output, the template's type for it is undefined.
  const value = read === undefined ? (undefined as Output) : read.value;
  return Object.freeze({ text, output: value, usage, finishReason: "completed" as const });
}
