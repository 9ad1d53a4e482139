import type { TranscriptEntry } from "@wink/adapters/run";
import { Conversation, parseInput, viewMessage } from "../model/conversation.js";
import { describeEvent } from "../model/describe-event.js";
import { callAt, stateAt } from "../model/find-in-overview.js";
import { fieldsOf, listOf, numberOf, textOf } from "../model/run-facts.js";
import type { CallRow, RunOverview, TurnRow } from "../model/run-overview.js";
import type {
  CallView,
  MessagePage,
  PromptView,
  RawEvent,
  SectionView,
  ToolView,
} from "../model/run-views.js";
import { requireNumber, unknown } from "./require-argument.js";
import type { RunData } from "./run-data.js";
import { SourceError } from "./source-error.js";

const MAX_EVENTS = 1_000;
const MAX_MESSAGES = 200;
const MAX_ANSWER_CHARACTERS = 512 * 1024;

/** Answers about the conversation and the events of one run. */
export class RunAnswers {
  readonly data: RunData;
  #conversation: { readonly version: string; readonly value: Conversation } | undefined;

  constructor(data: RunData) {
    this.data = data;
  }

  /** The whole overview. */
  overview(): Promise<RunOverview> {
    return this.data.overview();
  }

  async events(from: number, to: number): Promise<readonly RawEvent[]> {
    const first = requireNumber("from", from);
    const last = Math.min(requireNumber("to", to), first + MAX_EVENTS - 1);
    const overview = await this.overview();
    const events = await this.data.events(first, last);
    return events.map((event) => {
      const call = callAt(overview, event.sequence);
      const { what, detail } = describeEvent(event, () => call?.end != null);
      return { ...event, what, detail };
    });
  }

  /** The records that were written after an event and before the next one. */
  async records(sequence: number): Promise<readonly TranscriptEntry[]> {
    const at = requireNumber("sequence", sequence);
    return (await this.data.transcript()).filter((record) => record.sequence === at);
  }

  async prompt(index: number): Promise<PromptView> {
    const { turn, conversation } = await this.#turn(index);
    const ask = conversation.askOf(turn);
    if (ask === undefined) throw missingPrompt();
    let end = 0;
    const sections: SectionView[] = [];
    for (const section of listOf(await this.data.part(ask.prompt))) {
      const { path, title, visibility, text } = fieldsOf(section);
      const shown = textOf(await this.data.part(String(text))) ?? "";
      const start = end;
      end += shown.length;
      const names = { path: String(path), title: String(title) };
      const isSummary = visibility === "summary";
      sections.push({
        ...names,
        visibility: isSummary ? "summary" : "full",
        start,
        end,
        text: shown,
      });
    }
    const tools: ToolView[] = [];
    for (const id of listOf(await this.data.part(ask.tools))) {
      const { name, description, inputSchema } = fieldsOf(await this.data.part(String(id)));
      tools.push({ name: String(name), description: String(description), inputSchema });
    }
    return {
      ...{ turn: turn.index, sections, tools },
      outputSchema: ask.output === undefined ? null : await this.data.part(ask.output),
      messages: conversation.messagesOf(ask).length,
    };
  }

  async messages(sequence: number, from: number, to: number): Promise<MessagePage> {
    const conversation = await this.#conversationNow(await this.overview());
    const parts = conversation.messagesAt(requireNumber("sequence", sequence));
    const first = requireNumber("from", from);
    const page = parts.slice(first, Math.min(requireNumber("to", to), first + MAX_MESSAGES));
    const messages = [];
    for (const part of page) messages.push(viewMessage(await this.data.part(part.id), part));
    return { total: parts.length, from: first, messages };
  }

  async call(index: number): Promise<CallView> {
    const overview = await this.overview();
    const call = overview.calls[requireNumber("call", index)];
    if (call === undefined) throw unknown(`Call ${index}`);
    const [end] = call.end === null ? [] : await this.data.events(call.end, call.end);
    const fields = fieldsOf(end?.payload);
    const { answer, thrown } = await this.#answerOf(overview, call);
    const undone = fields["undone"] === undefined ? undefined : fieldsOf(fields["undone"]);
    return {
      ...{ index: call.index, status: call.status, child: call.child, thrown },
      input: await this.#inputOf(overview, call),
      answer: answer?.slice(0, MAX_ANSWER_CHARACTERS) ?? null,
      isCut: (answer?.length ?? 0) > MAX_ANSWER_CHARACTERS,
      reason: textOf(undone?.["reason"]) ?? (call.status === "denied" ? answer : null),
      errors: listOf(fields["errors"]).map((error) => {
        const { where, name, message } = fieldsOf(error);
        return { where: String(where), name: String(name), message: String(message) };
      }),
      undone: undone === undefined ? null : undoneOf(undone),
      files: listOf(fields["files"]).map((file) => {
        const { path, how, lines } = fieldsOf(file);
        const numbers =
          lines === undefined ? null : listOf(lines).map((each) => numberOf(each) ?? 0);
        return { path: String(path), how: String(how), lines: numbers };
      }),
      stateBefore: stateAt(overview, call.start) ?? null,
      stateAfter: call.end === null ? null : (stateAt(overview, call.end) ?? null),
    };
  }

  async #inputOf(overview: RunOverview, call: CallRow): Promise<unknown> {
    const turn = call.turn === null ? undefined : overview.turns[call.turn];
    if (turn === undefined || !overview.has.prompts) return undefined;
    const answer = (await this.#conversationNow(overview)).answerOf(turn);
    const { toolCalls } =
      answer === undefined ? {} : fieldsOf(await this.data.part(answer.message));
    const found = listOf(toolCalls)
      .map(fieldsOf)
      .find(({ toolCallId }) => toolCallId === call.toolCallId);
    return parseInput(found?.["arguments"]);
  }

  async #answerOf(
    overview: RunOverview,
    call: CallRow,
  ): Promise<{ readonly answer: string | null; readonly thrown: unknown }> {
    const turn = call.turn === null ? undefined : overview.turns[call.turn];
    if (turn === undefined || !overview.has.prompts) return { answer: null, thrown: null };
    const outcome = (await this.#conversationNow(overview)).outcomeOf(turn, call.toolCallId);
    if (outcome === undefined) return { answer: null, thrown: null };
    const { text } = fieldsOf(await this.data.part(outcome.message));
    const thrown = outcome.errors === undefined ? null : await this.data.part(outcome.errors);
    return { answer: textOf(text), thrown };
  }

  async #turn(
    index: number,
  ): Promise<{ readonly turn: TurnRow; readonly conversation: Conversation }> {
    const overview = await this.overview();
    const turn = overview.turns[requireNumber("turn", index)];
    if (turn === undefined) throw unknown(`Turn ${index}`);
    if (!overview.has.prompts) throw missingPrompt();
    return { turn, conversation: await this.#conversationNow(overview) };
  }

  async #conversationNow(overview: RunOverview): Promise<Conversation> {
    const { version } = overview.position;
    if (this.#conversation?.version !== version)
      this.#conversation = {
        version,
        value: new Conversation(await this.data.transcript(), overview),
      };
    return this.#conversation.value;
  }
}

function undoneOf(undone: Readonly<Record<string, unknown>>): NonNullable<CallView["undone"]> {
  const { reason, paths, events, complete, snapshot } = undone;
  return {
    ...{ reason: String(reason), paths: listOf(paths).slice(0, 100).map(String) },
    ...{ events: numberOf(events) ?? 0, complete: complete !== false },
    hasFiles: textOf(snapshot) !== null,
  };
}

function missingPrompt(): SourceError {
  return new SourceError("MISSING", "Prompt: this source does not have what the model was shown.");
}
