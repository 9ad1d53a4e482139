import type { Writable } from "node:stream";
import type { AgentEvent, Budget, ToolCallFinished, ToolResult } from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import type { Colors } from "../terminal/print.js";
import { oneLine } from "../terminal/terminal-text.js";
import { count } from "./amounts.js";
import { describeCall } from "./describe-call.js";
import { planIn, planLines, stepLine } from "./plan-lines.js";

export interface LiveViewOptions {
  readonly output: Writable;
  readonly colors: Colors;
  readonly columns: number;
  /** Used to find the paths of a rollback. */
  readonly session: Session;
  /** Whether to show the turn number in the first line of each turn. @default false */
  readonly turnNumbers?: boolean | undefined;
  /**
   * Whether to show a temporary line about the current wait. Only for a terminal. @default false
   */
  readonly transient?: boolean | undefined;
  /** Its limits and usage are shown after each turn. @default none */
  readonly budget?: Budget | undefined;
}

const NAME_WIDTH = 20;
const CLEAR_LINE = "\r\u001b[K";

/**
 * Shows the progress of a run: one line per call, rollbacks, and the plan when it changes.
 *
 * It only appends lines, so that a pipe gets the same lines as a terminal. A terminal also has a
 * temporary line for the current call.
 */
export class LiveView {
  readonly #options: LiveViewOptions;
  /** The inputs of the running calls. */
  readonly #inputs = new Map<string, unknown>();
  #text = "";
  /** The turn whose number is not shown yet. */
  #turn: number | undefined;
  #isWaiting = false;

  constructor(options: LiveViewOptions) {
    this.#options = options;
  }

  /** Pass it to an adapter as `onEvent`. */
  readonly onEvent = (event: AgentEvent): void => {
    switch (event.type) {
      case "turn-started":
        this.#text = "";
        this.#turn = event.turn + 1;
        this.#wait("the model");
        break;
      case "text-delta":
        this.#text += event.text;
        break;
      case "tool-call-started":
        this.#say();
        this.#inputs.set(event.toolCallId, event.input);
        this.#wait(`${event.toolName} ${describeCall(event.input)}`);
        break;
      case "tool-call-finished":
        this.#finish(event);
        break;
      case "feedback":
        this.#line(`${this.#options.colors.yellow("!")} ${oneLine(event.text, this.#room(2))}`);
        break;
      case "turn-finished":
        this.#showBudget();
        break;
      case "finished":
        this.end();
        break;
    }
  };

  /** Shows why the run waits: a model request failed and will be retried. */
  onRetry({ reason, delayMs }: { readonly reason: string; readonly delayMs: number }): void {
    const seconds = (delayMs / 1000).toFixed(1);
    const { colors } = this.#options;
    const why = oneLine(reason, this.#room(50));
    this.#line(`${colors.yellow("!")} the model request failed (${why}); retrying in ${seconds} s`);
    this.#wait("the model");
  }

  /**
   * Shows the model's text before a call. Its last text is the answer, which is shown elsewhere.
   */
  #say(): void {
    const text = oneLine(this.#text, this.#room(2));
    this.#text = "";
    if (text !== "") this.#line(`${this.#options.colors.dim(`“${text}”`)}`);
  }

  #finish(event: ToolCallFinished): void {
    const { colors } = this.#options;
    const { toolCallId, toolName, result } = event;
    const mark = result.success ? colors.green("✓") : colors.red("✗");
    const name = oneLine(toolName, NAME_WIDTH).padEnd(NAME_WIDTH);
    const input = this.#inputs.get(toolCallId);
    this.#inputs.delete(toolCallId);
    const plan = planIn(toolName, result);
    const step = plan && stepLine(plan, input, this.#planStyle(NAME_WIDTH + 3));
    const detail = step ?? this.#callDetail(describeCall(input), result);
    this.#line(`${mark} ${colors.bold(name)} ${detail}`);
    if (event.denied) this.#line(`  ${colors.yellow("refused by a policy")}`);
    if (event.rolledBack) this.#showRollback(toolCallId);
    if (plan !== undefined && step === undefined)
      for (const line of planLines(plan, this.#planStyle(2))) this.#line(`  ${line}`);
  }

  /** The subject of a call, then its result if there is room. A successful result is dimmed. */
  #callDetail(subject: string, { success, message }: ToolResult): string {
    const room = this.#room(NAME_WIDTH + 3);
    const about = oneLine(subject, Math.max(10, Math.floor(room / 2)));
    const left = about === "" ? room : room - [...about].length - 2;
    const outcome = oneLine(success ? withoutSubject(message, subject) : reasonIn(message), left);
    if (about === "" || outcome === "") return about + outcome;
    return `${about}  ${success ? this.#options.colors.dim(outcome) : outcome}`;
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
    const { budget, colors } = this.#options;
    if (budget === undefined) return;
    const { limits, spent } = budget;
    const parts = [
      limits.tokens !== undefined && `${spent.tokens} of ${count(limits.tokens, "token")}`,
      limits.costUsd !== undefined && `$${spent.costUsd.toFixed(3)} of $${limits.costUsd}`,
      limits.toolCalls !== undefined && `${spent.toolCalls} of ${count(limits.toolCalls, "call")}`,
      limits.bytesWritten !== undefined &&
        `${spent.bytesWritten} of ${count(limits.bytesWritten, "byte")} written`,
    ].filter((part) => part !== false);
    if (parts.length > 0) this.#line(colors.dim(`budget: ${parts.join(", ")}`));
  }

  /** Removes the temporary line. Call it before other code writes to the same stream. */
  end(): void {
    if (this.#isWaiting) this.#options.output.write(CLEAR_LINE);
    this.#isWaiting = false;
  }

  #wait(what: string): void {
    const { transient, output, colors } = this.#options;
    if (!transient) return;
    output.write(`${CLEAR_LINE}${this.#indent}${colors.dim(`… ${oneLine(what, this.#room(3))}`)}`);
    this.#isWaiting = true;
  }

  get #indent(): string {
    return this.#options.turnNumbers ? "    " : "  ";
  }

  #room(used: number): number {
    return Math.max(20, this.#options.columns - used - this.#indent.length);
  }

  #line(text: string): void {
    const { turnNumbers, output, colors } = this.#options;
    this.end();
    const showsTurn = turnNumbers && this.#turn !== undefined;
    output.write(
      `${showsTurn ? colors.dim(`${this.#turn}`.padStart(3).concat(" ")) : this.#indent}${text}\n`,
    );
    this.#turn = undefined;
  }
}

/**
 * Removes the subject from a message, because it is already on the line: `Edited 'a.js': 1
 * replacement.` becomes `1 replacement.`
 */
function withoutSubject(message: string, subject: string): string {
  // Remove ids; they are only for models.
  const line = firstLine(message).replace(/: [0-9a-f-]{12,}$/, "");
  const at = subject === "" ? -1 : line.indexOf(`'${subject}'`);
  if (at < 0) return line;
  const rest = line.slice(at + subject.length + 2);
  return /^[:,] /.test(rest) ? rest.slice(2) : rest === "." ? "" : line;
}

/** Why a call failed. The rollback has its own line. */
function reasonIn(message: string): string {
  return firstLine(message).split(" Everything it did was undone", 1)[0] ?? "";
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
