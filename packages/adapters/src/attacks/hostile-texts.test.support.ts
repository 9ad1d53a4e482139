import { z } from "zod";
import { cleanText } from "../mcp/clean-text.js";
import { ForeignNames } from "../mcp/foreign-names.js";
import { retryHintMs } from "../providers/retry-hint.js";
import { toModelError } from "../providers/to-model-error.js";
import { describeDifference } from "../replay/describe-difference.js";
import { DEFAULT_IGNORED_PATTERNS, withoutIgnored } from "../replay/ignored-patterns.js";
import { parseArguments } from "../runtime/call/parse-arguments.js";
import { DEFAULT_CALL_LIMITS } from "../runtime/context/limits.js";
import { readOutput } from "../runtime/loop/read-output.js";

type Work = () => Promise<unknown>;

const MEGABYTE = 1_000_000;
const fence = "```";

/**
 * Texts that a model, a provider or an MCP server can send. Each entry prepares its data and
 * returns the work to measure.
 */
export const hostileTexts: Readonly<Record<string, () => Promise<Work>>> = {
  "final answer: a fence, line ends and a letter": () =>
    answer(`${fence}json${"\n".repeat(MEGABYTE)}x`),
  "final answer: a fence, line ends and a fence in a line": () =>
    answer(`${fence}json${"\n".repeat(MEGABYTE)}${fence} x`),
  "final answer: fences": () => answer(`\n${fence}`.repeat(MEGABYTE / 4)),
  "final answer: blanks": () => answer(`${" ".repeat(MEGABYTE)}x`),
  "final answer: nested lists": () => answer("[".repeat(MEGABYTE / 2) + "]".repeat(MEGABYTE / 2)),
  "final answer: nested lists without an end": () => answer("[".repeat(MEGABYTE)),
  "arguments: nested lists": async () => {
    const sent = `{"a":${"[".repeat(MEGABYTE / 2)}${"]".repeat(MEGABYTE / 2)}}`;
    return async () => parseArguments(sent, DEFAULT_CALL_LIMITS);
  },
  "arguments: many empty lists": async () => {
    const sent = `{"a":[${"[],".repeat(MEGABYTE / 3)}0]}`;
    return async () => parseArguments(sent, DEFAULT_CALL_LIMITS);
  },
  "arguments: one long number": async () => {
    const sent = `{"a":${"1".repeat(MEGABYTE)}}`;
    return async () => parseArguments(sent, DEFAULT_CALL_LIMITS);
  },
  "provider error: repeated words of a known message": () =>
    providerError("input is ".repeat(MEGABYTE / 9)),
  "provider error: words that announce a key": () => providerError("token:".repeat(MEGABYTE / 6)),
  "provider error: one long word": () => providerError("a-".repeat(MEGABYTE / 2)),
  "provider error: nested errors": async () => {
    const nest = (depth: number): object =>
      depth === 0
        ? { message: "input is ".repeat(1_000) }
        : { message: "input is ".repeat(1_000), error: nest(depth - 1), data: nest(depth - 1) };
    const error = { status: 400, ...nest(8) };
    return async () => toModelError(error);
  },
  "provider error: a word that announces a key, and no key": () =>
    nestedStacks(`key${"=".repeat(MAX_SEARCHED - 3)}`),
  "provider error: one word as long as the part that is searched": () =>
    nestedStacks("a-".repeat(MAX_SEARCHED / 2)),
  "retry hint: one long number": () => retryHint(`${"1.".repeat(MEGABYTE / 2)}x`),
  "retry hint: many parts": () => retryHint("1s".repeat(MEGABYTE / 2)),
  "MCP description: characters that are not seen": async () => {
    const text = "\u200b\u0000a".repeat(MEGABYTE / 3);
    return async () => cleanText(text, 1_000);
  },
  "MCP tools: equal names": async () => {
    const names = Array.from({ length: 1_000 }, () => "a".repeat(256));
    return async () => {
      const taken = new ForeignNames("");
      for (const name of names) taken.take(name);
    };
  },
  "replay: digits and letters of a hash": () => replay(`${"0a".repeat(MEGABYTE / 2)}g`),
  "replay: digits": () => replay("1".repeat(MEGABYTE)),
  "replay: backslashes": () => replay("\\".repeat(MEGABYTE / 2)),
  "replay: many hashes": () => replay("abcdef0 ".repeat(MEGABYTE / 8)),
};

async function answer(text: string): Promise<Work> {
  const schema = z.object({ a: z.number() });
  return () => readOutput(text, { schema } as never);
}

async function providerError(message: string): Promise<Work> {
  return async () => toModelError({ status: 400, message });
}

/** `safeCause` searches this many characters of a stack; it does not search half a word. */
const MAX_SEARCHED = 16_000;

async function nestedStacks(stack: string): Promise<Work> {
  const nest = (depth: number): object => ({
    message: stack,
    stack,
    cause: depth && nest(depth - 1),
  });
  return async () => toModelError({ status: 400, ...nest(8) });
}

async function retryHint(value: string): Promise<Work> {
  const headers: Readonly<Record<string, string>> = {
    "retry-after": value,
    "x-ratelimit-remaining-tokens": "0",
    "x-ratelimit-reset-tokens": value,
  };
  return async () => {
    retryHintMs((name) => headers[name]);
    retryHintMs((name) => (name === "retry-after" ? undefined : headers[name]));
  };
}

async function replay(text: string): Promise<Work> {
  return async () => {
    withoutIgnored(text, DEFAULT_IGNORED_PATTERNS);
    describeDifference({ text }, { text: `${text}x` }, DEFAULT_IGNORED_PATTERNS);
  };
}
