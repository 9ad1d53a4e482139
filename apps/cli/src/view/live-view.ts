import type { Writable } from "node:stream";
import type {
  AgentEvent,
  AnswerFacts,
  Budget,
  RequestRetried,
  RunUsage,
  ToolCallFinished,
} from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import type { Colors } from "../terminal/print.js";
import type { StatusLine } from "../terminal/status-line.js";
import { clipPath, oneLine, pad, safeText, stringWidth, wrap } from "../terminal/terminal-text.js";
import { count, number } from "./amounts.js";
import { describeCall } from "./describe-call.js";
import { planIn, planLines, stepLine } from "./plan-lines.js";

export interface LiveViewOptions {
  readonly output: Writable;
  readonly colors: Colors;
  readonly columns: number;
  /** Used to find the paths of a rollback. */
  readonly session: Session;
  /** The start of every line. @default the number of the turn, once for each turn */
  readonly indent?: string | undefined;
  /** Shows what the run waits for. @default nothing is shown */
  readonly status?: StatusLine | undefined;
  /** Whether the whole text of the model is shown while it arrives. @default false: a line of it before each call */
  readonly streams?: boolean | undefined;
  /** Its limits and usage are shown after each turn. @default none */
  readonly budget?: (() => Budget | undefined) | undefined;
  /**
   * Errors of the agent's own code. They are shown with the call that they belong to, and removed.
   *
   * @default none
   */
  readonly errors?: unknown[] | undefined;
  /** Whether to show the stacks of these errors. @default false */
  readonly debug?: boolean | undefined;
}

/** The message of an error is shown in full up to this length, because its end says what to do. */
const MAX_ERROR_CHARACTERS = 400;
const NAME_WIDTH = 20;
/** For the amount that is shown while a turn arrives. Its end shows the provider's count. */
const CHARACTERS_PER_TOKEN = 4;

/**
 * Shows the progress of a run: one line per call, rollbacks, and the plan when it changes. It only
 * appends lines, so that a pipe gets the same lines as a terminal.
 */
export class LiveView {
  readonly #options: LiveViewOptions;
  /** The inputs of the running calls. */
  readonly #inputs = new Map<string, unknown>();
  #text = "";
  /** The end of what the model thinks in this turn. */
  #thought = "";
  /** How many characters have arrived in this turn. */
  #received = 0;
  /** The tokens and the cost of the run so far. */
  #spent = "";
  /** The turn whose number is not shown yet. */
  #turn = "";

  constructor(options: LiveViewOptions) {
    this.#options = options;
  }

  /** Pass it to an adapter as `onEvent`. */
  readonly onEvent = (event: AgentEvent): void => {
    const { status, colors } = this.#options;
    switch (event.type) {
      case "turn-started":
        this.#text = "";
        this.#turn = String(event.turn + 1);
        this.#thought = "";
        this.#received = 0;
        status?.show("the model", this.#spent);
        break;
      case "text-delta":
        this.#text += event.text;
        if (this.#options.streams) this.#stream(false);
        status?.show("the model", this.#progress(event.text));
        break;
      case "thought-delta":
        this.#thought = (this.#thought + event.text).slice(-this.#options.columns);
        status?.show("the model thinks", this.#progress(event.text));
        break;
      case "retry":
        this.#showRetry(event);
        break;
      case "tool-call-started":
        this.#showText();
        this.#inputs.set(event.toolCallId, event.input);
        status?.show(`${event.toolName} ${describeCall(event.input)}`);
        break;
      case "tool-call-finished":
        this.#finish(event);
        break;
      case "feedback":
        this.#line(`${colors.yellow("!")} ${oneLine(event.text, this.#room(2))}`);
        break;
      case "turn-finished":
        if (this.#options.streams) this.#stream(true);
        this.#spent = `${describeSpent(event.usage)}  `;
        this.#showFacts(event.answer);
        this.#showBudget();
        break;
      case "finished":
        status?.clear();
        break;
    }
  };

  /** Shows why the run waits: a model request failed and will be retried. */
  #showRetry({ reason, delayMs }: RequestRetried): void {
    const seconds = (delayMs / 1000).toFixed(1);
    const { colors, status } = this.#options;
    const why = oneLine(reason, this.#room(50));
    this.#line(`${colors.yellow("!")} the model request failed (${why}); retrying in ${seconds} s`);
    status?.show("the model");
  }

  /**
   * Shows the model's text before a call. Its last text is the answer, which is shown elsewhere.
   */
  #showText(): void {
    if (this.#options.streams) {
      this.#stream(true);
      return;
    }
    const text = oneLine(this.#text, this.#room(2));
    this.#text = "";
    if (text !== "") this.#line(this.#options.colors.dim(`“${text}”`));
  }

  /** Shows the complete lines of the text, or all of it at its end. */
  #stream(isEnd: boolean): void {
    const lines = this.#text.split("\n");
    this.#text = isEnd ? "" : (lines.pop() ?? "");
    while (isEnd && lines.at(-1) === "") lines.pop();
    const width = this.#room(0);
    for (const line of lines) for (const part of wrap(line, width)) this.#line(part);
  }

  /** The tokens of the run, about how many have arrived in this turn, and the end of the text. */
  #progress(piece: string): string {
    this.#received += piece.length;
    const about = `about ${count(Math.ceil(this.#received / CHARACTERS_PER_TOKEN), "token")}`;
    const text = (this.#text || this.#thought).slice(-this.#options.columns);
    return `${this.#spent}${about}  ${text}`;
  }

  /** What the provider ignored in the request, and what the model cites. */
  #showFacts({ warnings = [], sources = [] }: AnswerFacts = {}): void {
    const { colors } = this.#options;
    for (const warning of warnings)
      this.#line(`${colors.yellow("!")} ${oneLine(warning, this.#room(2))}`);
    for (const { url, title } of sources)
      this.#line(colors.dim(oneLine([title, url].filter(Boolean).join("  "), this.#room(0))));
  }

  #finish(event: ToolCallFinished): void {
    const { colors } = this.#options;
    const { toolCallId, toolName, result } = event;
    const mark = result.success ? colors.green("✓") : colors.red("✗");
    const name = pad(oneLine(toolName, NAME_WIDTH), NAME_WIDTH);
    const input = this.#inputs.get(toolCallId);
    this.#inputs.delete(toolCallId);
    const plan = planIn(toolName, result);
    const step = plan && stepLine(plan, input, this.#planStyle(NAME_WIDTH + 3));
    const detail = step ?? this.#callDetail(describeCall(input), event);
    this.#line(`${mark} ${colors.bold(name)} ${detail}`);
    if (event.denied) this.#line(`  ${colors.yellow("refused by a policy")}`);
    this.#showErrors();
    if (event.rolledBack) this.#showRollback(toolCallId);
    if (plan !== undefined && step === undefined)
      for (const line of planLines(plan, this.#planStyle(2))) this.#line(`  ${line}`);
  }

  /** The result of a call with its subject. Of a successful result, only the subject is bright. */
  #callDetail(subject: string, { result, reason = result.message }: ToolCallFinished): string {
    const { success } = result;
    const dim = success ? this.#options.colors.dim : (text: string) => text;
    const line = shownLine(reason, success ? result.value : undefined);
    const room = this.#room(NAME_WIDTH + 3);
    if (subject === "" || !line.includes(subject)) {
      const about = clipPath(subject, Math.floor((room * 2) / 3));
      const left = about === "" ? room : room - stringWidth(about) - 2;
      return `${about}${about === "" ? "" : "  "}${dim(oneLine(line, left))}`.trimEnd();
    }
    const others = stringWidth(line) - stringWidth(subject);
    const about = clipPath(subject, Math.max(20, room - others));
    const shown = oneLine(
      line.replace(subject, () => about),
      room,
    );
    const [before = "", ...after] = shown.split(about);
    return [dim(before), ...after.map(dim)].join(about);
  }

  #showErrors(): void {
    const { errors = [], debug, colors } = this.#options;
    for (const error of errors.splice(0)) {
      const [first = "", ...stack] = (
        error instanceof Error ? (error.stack ?? error.message) : String(error)
      ).split("\n");
      const shown = first.slice(0, MAX_ERROR_CHARACTERS);
      for (const line of wrap(shown, this.#room(2))) this.#line(`  ${colors.red(line)}`);
      for (const line of debug ? stack : []) this.#line(`  ${colors.dim(safeText(line))}`);
    }
  }

  #showRollback(toolCallId: string): void {
    const { session, colors } = this.#options;
    const ended = session.events
      .of(EndToolCall)
      .findLast(({ payload }) => payload.toolCallId === toolCallId);
    const paths = ended?.payload.undone?.paths ?? [];
    const what = paths.length === 0 ? "the call had changed no file" : paths.join(", ");
    this.#line(
      `${colors.magenta("↩")} ${colors.magenta("rolled back")}: ${oneLine(what, this.#room(16))}`,
    );
  }

  #planStyle(used: number) {
    return { colors: this.#options.colors, width: this.#room(used) };
  }

  #showBudget(): void {
    const { colors } = this.#options;
    const budget = this.#options.budget?.();
    // Nothing happened in this turn, and the end of the run shows the sum.
    if (budget === undefined || this.#turn !== "") return;
    const { limits, spent } = budget;
    const parts = [
      limits.tokens !== undefined && `${number(spent.tokens)} of ${count(limits.tokens, "token")}`,
      limits.costUsd !== undefined && `$${spent.costUsd.toFixed(3)} of $${limits.costUsd}`,
      limits.toolCalls !== undefined &&
        `${number(spent.toolCalls)} of ${count(limits.toolCalls, "call")}`,
      limits.bytesWritten !== undefined &&
        `${number(spent.bytesWritten)} of ${count(limits.bytesWritten, "byte")} written`,
    ].filter((part) => part !== false);
    if (parts.length > 0) this.#line(colors.dim(`budget: ${parts.join(", ")}`));
  }

  #room(used: number): number {
    return Math.max(20, this.#options.columns - used - (this.#options.indent?.length ?? 3));
  }

  #line(text: string): void {
    const { indent, output, colors, status } = this.#options;
    status?.clear();
    const start = this.#turn === "" ? "   " : colors.dim(this.#turn.padEnd(2).concat(" "));
    output.write(`${indent ?? start}${text}\n`);
    this.#turn = "";
  }
}

function describeSpent({ inputTokens, outputTokens, costUsd }: RunUsage): string {
  const tokens = count(inputTokens + outputTokens, "token");
  return costUsd === undefined ? tokens : `${tokens}, $${costUsd.toFixed(4)}`;
}

/** The first line of a message, without the ids in the result, which are only for models. */
function shownLine(message: string, value: unknown): string {
  const [line = ""] = message.split("\n", 1);
  const ids = typeof value === "object" && value !== null ? Object.values(value) : [];
  return ids
    .filter((id) => typeof id === "string" && /^[0-9a-f-]{12,}$/.test(id))
    .reduce((text: string, id) => text.replace(`: ${id}`, ""), line);
}
