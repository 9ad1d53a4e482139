export interface KeptOutput {
  readonly stdout: string;
  readonly stderr: string;
}

const MOST_KEPT = 16;
const MOST_CHARACTERS = 32 * 1024 * 1024;

/** What the last commands printed, for whoever wants to read more of it than an answer shows. */
export class KeptOutputs {
  readonly #outputs = new Map<number, KeptOutput>();
  #lastId = 0;
  #characters = 0;

  /** Answers with the number under which it is found. The oldest go when it is too much. */
  keep(output: KeptOutput): number {
    this.#outputs.set(++this.#lastId, output);
    this.#characters += sizeOf(output);
    for (const [id, old] of this.#outputs) {
      if (this.#outputs.size <= MOST_KEPT && this.#characters <= MOST_CHARACTERS) break;
      this.#outputs.delete(id);
      this.#characters -= sizeOf(old);
    }
    return this.#lastId;
  }

  find(id: number): KeptOutput | undefined {
    return this.#outputs.get(id);
  }

  /** Those that can still be found, the oldest first. */
  get ids(): readonly number[] {
    return [...this.#outputs.keys()];
  }
}

function sizeOf({ stdout, stderr }: KeptOutput): number {
  return stdout.length + stderr.length;
}
