import type { RunSource } from "#inspector/node";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

const WORDS = ["at", "diff", "blame"] as const;

export function isQuestionWord(word: string | undefined): boolean {
  return WORDS.some((each) => each === word);
}

/** Answers `at N`, `diff A..B` or `blame PATH@N` for a program. */
export async function answerQuestion(
  source: RunSource,
  [word, subject = "", ...rest]: readonly string[],
): Promise<unknown> {
  if (rest.length > 0) throw unclear();
  const [, path = "", at] = /^(.*?)(?:@(\d{1,15}))?$/.exec(subject) ?? [];
  const [, from, to] = /^(\d{1,15})\.\.(\d{1,15})$/.exec(subject) ?? [];
  if (word === "at" && /^\d{1,15}$/.test(subject)) return await answerAt(source, Number(subject));
  if (word === "diff" && from !== undefined && to !== undefined)
    return await answerDiff(source, Number(from), Number(to));
  if (word === "blame" && path !== "")
    return await answerBlame(source, path, at === undefined ? undefined : Number(at));
  throw unclear();
}

function unclear(): CliError {
  return new CliError("The question is not clear.", {
    exitCode: EXIT_CODES.usage,
    hint: "Ask `at N`, `diff A..B` or `blame PATH@N`, with the numbers that `wink log` shows.",
  });
}

/** Everything about one event: what happened, in which turn and call, the state, and the files. */
async function answerAt(source: RunSource, sequence: number): Promise<unknown> {
  const overview = await requireEvent(source, sequence);
  const { columns, turns, has } = overview;
  const [event] = await source.events("0", sequence, sequence);
  const call = columns.call[sequence - columns.from] ?? -1;
  const turn = columns.turn[sequence - columns.from] ?? -1;
  const { slices } = await source.state("0", sequence);
  return {
    ...{ sequence, event: event ?? null, turn: turns[turn] ?? null },
    call: call < 0 ? null : { ...overview.calls[call], ...(await source.call("0", call)) },
    state: Object.fromEntries(slices.map(({ name, value }) => [name, value])),
    files: has.files ? (await source.tree("0", { event: sequence })).entries : null,
    changes: has.files
      ? (await source.changes("0", { event: 0 }, { event: sequence })).changes
      : null,
  };
}

async function answerDiff(source: RunSource, from: number, to: number): Promise<unknown> {
  await requireEvent(source, Math.max(from, to));
  const { changes, total } = await source.changes("0", { event: from }, { event: to });
  const files = [];
  for (const change of changes) {
    const { before, after } = change;
    files.push({ ...change, ...(await source.diff("0", before, after)) });
  }
  return { from, to, total, files };
}

async function answerBlame(
  source: RunSource,
  path: string,
  at: number | undefined,
): Promise<unknown> {
  const { lastSequence } = await source.overview("0");
  const sequence = at ?? lastSequence;
  const overview = await requireEvent(source, sequence);
  const { entries } = await source.tree("0", { event: sequence });
  const entry = entries.findIndex((each) => each.path === path);
  if (entry < 0)
    throw new CliError(`${path} does not exist after event ${sequence}.`, {
      exitCode: EXIT_CODES.usage,
    });
  const { ranges } = await source.blame("0", sequence, entry);
  return {
    ...{ path, sequence },
    ranges: ranges.map((range) => {
      const call = range.call === null ? undefined : overview.calls[range.call];
      return { ...range, tool: call?.tool ?? null, turn: call?.turn ?? null };
    }),
  };
}

async function requireEvent(source: RunSource, sequence: number) {
  const overview = await source.overview("0");
  if (sequence <= overview.lastSequence) return overview;
  throw new CliError(`The log has no event ${sequence}.`, {
    exitCode: EXIT_CODES.usage,
    hint: `Its last event is ${overview.lastSequence}.`,
  });
}
