import { realpath } from "node:fs/promises";
import type { JsonValue } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { isAnswerable, RunParking } from "./parking.js";
import { RunDirectory } from "./run-directory.js";
import type { RunPlace } from "./run-place.js";
import { isStoredRun, type StoredRunSource, StoreHead } from "./store-head.js";
import { StorePlace } from "./store-place.js";
import { withStoredRun } from "./stored-run-source.js";

export interface AnswerRunOptions {
  /** The id of the wait to answer, from `parks`. @default the only wait */
  readonly id?: string | undefined;
}

/** Answers what a run waits for. Opens its log and its transcript, and not its files. */
export async function answerRun(
  source: string | StoredRunSource,
  value: JsonValue,
  options: AnswerRunOptions,
): Promise<void> {
  requireOptions("Run.answer", options, ["id"]);
  await withStoredRun(source, async (found) => {
    if (isStoredRun(found)) await answerInStore(found, value, options);
    else await answerAt(await directoryOf(found), value, options);
  });
}

async function answerInStore(
  source: StoredRunSource,
  value: JsonValue,
  options: AnswerRunOptions,
): Promise<void> {
  const head = await StoreHead.open(source, { files: { create: false } });
  try {
    await answerAt(new StorePlace(head), value, options);
  } finally {
    await head.close();
  }
}

async function directoryOf(directory: string): Promise<RunDirectory> {
  if (typeof directory !== "string" || directory === "")
    throw invalid("Run.answer", "pass the directory of a run, or a store and an id.");
  const found = await realpath(directory).catch((cause: unknown) => {
    throw new AdapterError("RUN_INVALID", { subject: "run", reason: "it does not exist", cause });
  });
  return new RunDirectory(found);
}

async function answerAt(
  place: RunPlace,
  value: JsonValue,
  options: AnswerRunOptions,
): Promise<void> {
  if (place.readHeader() === undefined)
    throw new AdapterError("RUN_INVALID", { subject: "run", reason: "it has no header" });
  const log = await place.openLog({});
  try {
    const ignore = () => {};
    const transcript = place.openTranscript({ fsync: false, redact: undefined, onStart: ignore });
    try {
      const parking = new RunParking(log.session, transcript.writer, transcript.earlier);
      const open = parking.parks.filter(isAnswerable);
      const [only] = open;
      if (options.id === undefined && open.length > 1)
        throw invalid("id", `the run waits for: ${open.map(({ id }) => id).join(", ")}.`);
      parking.answer(options.id ?? only?.id ?? "", value);
    } finally {
      transcript.close();
    }
  } finally {
    await log.close();
  }
}
