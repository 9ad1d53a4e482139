import { realpath } from "node:fs/promises";
import type { JsonValue } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import { RunParking } from "./parking.js";
import { RunDirectory } from "./run-directory.js";

export interface AnswerRunOptions {
  /** Which wait, from `parks`. @default the only one */
  readonly id?: string | undefined;
}

/** Answers what a run waits for. Opens its log and its transcript, and not its files. */
export async function answerRun(
  directory: string,
  value: JsonValue,
  options: AnswerRunOptions,
): Promise<void> {
  requireOptions("Run.answer", options, ["id"]);
  if (typeof directory !== "string" || directory === "")
    throw invalid("directory", "it must be a path.");
  const found = await realpath(directory).catch((cause: unknown) => {
    throw new AdapterError("RUN_INVALID", { subject: "run", reason: "it does not exist", cause });
  });
  const place = new RunDirectory(found);
  if (place.readHeader() === undefined)
    throw new AdapterError("RUN_INVALID", { subject: "run", reason: "it has no header" });
  const log = await place.openLog({});
  try {
    const ignore = () => {};
    const transcript = place.openTranscript({ fsync: false, redact: undefined, onStart: ignore });
    try {
      const parking = new RunParking(log.session, transcript.writer, transcript.earlier);
      const open = parking.parks.filter(({ isAnswered }) => !isAnswered);
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
