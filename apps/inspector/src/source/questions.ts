import type { RunSource } from "./run-source.js";

/** The names of all questions, as they are sent over HTTP. */
export const QUESTIONS = [
  ...(["info", "overview", "wait", "events", "records", "part", "tree", "changes"] as const),
  ...(["content", "diff", "prompt", "messages", "call", "state", "seen", "blame"] as const),
  "search",
] as const satisfies readonly (keyof RunSource)[];

export type Question = (typeof QUESTIONS)[number];

export function isQuestion(name: string): name is Question {
  return QUESTIONS.some((each) => each === name);
}
