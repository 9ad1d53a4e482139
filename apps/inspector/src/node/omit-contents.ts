import type { RecordedEvent } from "@wink/session";
import { fieldsOf, listOf } from "../model/run-facts.js";
import type { RunOverview } from "../model/run-overview.js";

/** What an export leaves out. */
export interface Omitted {
  /** Prompts, messages, and the input and answers of tools. */
  readonly prompts: boolean;
  /** The content of files, also in events and in the input and answers of tools. */
  readonly files: boolean;
}

const OMITTED = "(omitted)";

/** Fields of WINK's own events that contain file contents or the input of a tool. */
const FILE_FIELDS: ReadonlySet<string> = new Set([
  ...["content", "edits", "command", "link", "input"],
]);
/** WINK's own events. All others are defined by the agent and may contain anything, so their payload is omitted. */
const OWN_EVENTS = /^(files|plan|snapshots|shell|run|prompt|wink)\./;

export function omitFromEvent(given: RecordedEvent, { prompts, files }: Omitted): RecordedEvent {
  const isSnapshot = given.type === "files.take-snapshot";
  const event = isSnapshot ? { ...given, payload: withoutRoot(given.payload) } : given;
  if (!prompts && !files) return event;
  if (!OWN_EVENTS.test(event.type)) return { ...event, payload: OMITTED };
  const fields = Object.entries(fieldsOf(event.payload)).map(([name, value]) => {
    const isOmitted = files ? FILE_FIELDS.has(name) : name === "input";
    // The message of a foreign error may quote anything.
    const value2 = name === "errors" ? listOf(value).map(withoutMessage) : value;
    return [name, isOmitted ? OMITTED : value2] as const;
  });
  return { ...event, payload: Object.fromEntries(fields) };
}

/** A snapshot without the directory of the files, which may have the name of a user. */
export function withoutRoot(snapshot: unknown): unknown {
  return { ...fieldsOf(snapshot), rootPath: "" };
}

function withoutMessage(error: unknown): unknown {
  return { ...fieldsOf(error), message: OMITTED };
}

/** Removes file contents from a part of the transcript. Sections, tools and what the user and the model wrote stay. */
export function omitFromPart(value: unknown, { files }: Omitted): unknown {
  if (!files || typeof value === "string") return value;
  if (Array.isArray(value)) return value.every(isReference) ? value : [];
  const { role, text, toolCalls, ...other } = fieldsOf(value);
  if (role === "user") return { role, text: omitFiles(String(text)) };
  if (role === "assistant")
    return {
      ...{ role, text },
      toolCalls: listOf(toolCalls).map((call) => ({ ...fieldsOf(call), arguments: "{}" })),
    };
  if (role === "tool") {
    const { toolCallId, toolName, success } = other;
    return { role, toolCallId, toolName, success, text: OMITTED };
  }
  const isSchema = ["inputSchema", "$schema", "properties"].some((name) =>
    Object.hasOwn(other, name),
  );
  return isSchema ? value : OMITTED;
}

/** The loop writes the files of a message below its text. Their text can contain anything, so nothing after it stays. */
const ATTACHED_FILE = /((?:^|\n\n)The file '[^\n]*':\n\n).*$/s;
/** The loop's summary of a long conversation repeats messages and what tools answered. */
const SUMMARY = "The earlier part of this conversation was removed";

function omitFiles(text: string): string {
  return text.startsWith(SUMMARY) ? OMITTED : text.replace(ATTACHED_FILE, `$1${OMITTED}`);
}

/** A section of a prompt, or the id of a tool. */
function isReference(item: unknown): boolean {
  return typeof item === "string" || Object.hasOwn(fieldsOf(item), "visibility");
}

export function omitFromOverview(overview: RunOverview, { prompts, files }: Omitted): RunOverview {
  const { has, calls, turns, evaluations, header, summary } = overview;
  return {
    ...overview,
    summary: { ...summary, place: "" },
    header: header === null || !prompts ? header : { ...header, params: undefined },
    has: { ...has, prompts: has.prompts && !prompts, files: has.files && !files },
    states: files ? [] : overview.states,
    turns: prompts ? turns.map((turn) => ({ ...turn, text: "" })) : turns,
    calls: prompts || files ? calls.map((call) => ({ ...call, input: "" })) : calls,
    evaluations: prompts ? evaluations.map((each) => ({ ...each, error: null })) : evaluations,
  };
}
