import { type Signal, signal } from "@preact/signals";

/** The answer to a question, or why there is none. Both are missing while it is loaded. */
export interface Answer<T> {
  readonly value?: T | undefined;
  readonly problem?: string | undefined;
}

const MAX_ANSWERS = 300;

/** Answers by question. An answer never changes, so each question is asked once. */
export class Answers {
  readonly #answers = new Map<string, Signal<Answer<unknown>>>();

  /** The question names everything that the answer depends on. */
  ask<T>(question: string, load: () => Promise<T>): Answer<T> {
    const known = this.#answers.get(question);
    if (known !== undefined) {
      this.#answers.delete(question);
      this.#answers.set(question, known);
      // The same question has the same type of answer.
      return known.value as Answer<T>;
    }
    const answer = signal<Answer<unknown>>({});
    this.#answers.set(question, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MAX_ANSWERS) break;
      this.#answers.delete(oldest);
    }
    load().then(
      (value) => {
        answer.value = { value };
      },
      (error: unknown) => {
        answer.value = { problem: error instanceof Error ? error.message : `${error}` };
      },
    );
    return answer.value as Answer<T>;
  }

  /** Forgets answers that a run in progress has made outdated. */
  forget(start: string): void {
    for (const question of this.#answers.keys())
      if (question.startsWith(start)) this.#answers.delete(question);
  }
}
