import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { AdapterError } from "../error/adapter-error.js";
import { isModelErrorCode } from "../error/model-error.js";
import { type Cassette, type CassetteEntry, parseCassette } from "../replay/cassette.js";
import { invalid } from "../runtime/context/require-options.js";
import type { ModelMessage } from "../runtime/loop/model-client.js";
import { Conversations, requestOf } from "../transcript/conversation.js";
import { TranscriptRecords } from "../transcript/read-transcript.js";
import type {
  ModelAnswered,
  ModelAsked,
  ModelFailed,
  TranscriptEntry,
} from "../transcript/transcript-record.js";
import { RUN_FILES } from "./run-directory.js";

const START = '{"kind":"start"';

/**
 * Reads a recorded run for `ReplayAdapter`: the directory of a run, a text that `exportCassette` made, or the JSON of a
 * `RecordingModel`. Rejects with `TRANSCRIPT_INVALID` or `CASSETTE_INVALID`.
 */
export async function readCassette(path: string): Promise<Cassette> {
  if (typeof path !== "string" || path === "")
    throw invalid("readCassette", "pass the path of a recorded run.");
  const isDirectory = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  const text = isDirectory ? await exportCassette(path) : await readText(path);
  return text.startsWith(START) ? cassetteOfTranscripts(text) : parseCassette(text);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = "this path has no recorded run";
    throw new AdapterError("CASSETTE_INVALID", { subject: "readCassette", reason, cause });
  }
}

/** Makes a cassette from the transcripts of a run and its subagents, one after the other. */
function cassetteOfTranscripts(text: string): Cassette {
  const all: { readonly at: number; readonly entry: CassetteEntry }[] = [];
  let model = "";
  let context: Cassette["context"];
  for (const lines of transcriptsIn(text)) {
    const records = new TranscriptRecords();
    records.add(lines);
    for (const record of records.records)
      if (record.kind === "run") {
        model ||= record.adapter;
        context ??= record.context;
      }
    all.push(...entriesIn(records));
  }
  // Subagents ask while their parent waits for them.
  all.sort((a, b) => a.at - b.at);
  const entries = all.map(({ entry }) => entry);
  return { version: 1, model, entries, ...(context && { context }) };
}

/**
 * The transcripts of the run in a directory and of its subagents, as one text for `readCassette`. It contains the
 * whole conversation, so check it before you share it.
 */
export async function exportCassette(directory: string): Promise<string> {
  if (typeof directory !== "string" || directory === "")
    throw invalid("exportCassette", "pass the directory of a run.");
  const own = await readFile(join(directory, RUN_FILES.transcript), "utf8").catch(() => "");
  const children = join(directory, RUN_FILES.children);
  const names = (await readdir(children).catch((): string[] => [])).sort();
  const texts = [own];
  for (const name of names) texts.push(await exportCassette(join(children, name)));
  return texts.join("");
}

function* transcriptsIn(text: string): Generator<readonly string[]> {
  let lines: string[] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith(START) && lines.length > 0) {
      yield lines;
      lines = [];
    }
    if (line !== "") lines.push(line);
  }
  if (lines.length > 0) yield lines;
}

function* entriesIn(records: TranscriptRecords) {
  const conversations = new Conversations();
  const keyOf = ({ run, turn, attempt = 1 }: ModelAsked | ModelAnswered | ModelFailed) =>
    `${run}/${turn}/${attempt}`;
  const answers = new Map<string, ModelAnswered | ModelFailed>();
  for (const record of records.records) if (isAnswer(record)) answers.set(keyOf(record), record);
  for (const ask of records.records) {
    if (ask.kind !== "ask") continue;
    conversations.add(ask);
    const answer = answers.get(keyOf(ask));
    const recorded = answer && answerOf(records, answer);
    // A request that was aborted has no answer of the model.
    if (recorded === undefined) continue;
    const request = requestOf(records, conversations, ask);
    yield { at: ask.at, entry: { request, ...recorded } };
  }
}

function isAnswer(record: TranscriptEntry): record is ModelAnswered | ModelFailed {
  return record.kind === "turn" || record.kind === "failed";
}

function answerOf(
  records: TranscriptRecords,
  answer: ModelAnswered | ModelFailed,
): Omit<CassetteEntry, "request"> | undefined {
  if (answer.kind === "failed") {
    const { code, reason, retryAfterMs } = answer;
    if (!isModelErrorCode(code)) return undefined;
    return { deltas: [], error: { code, message: reason, retryAfterMs } };
  }
  // The recorder wrote this part.
  const message = records.part(answer.message) as ModelMessage & { readonly role: "assistant" };
  const { role: _, ...content } = message;
  const { usage, stopReason } = answer;
  const deltas = message.text === "" ? [] : [message.text];
  return { deltas, turn: { ...content, usage, stopReason } };
}
