export interface StoredOutput {
  readonly stdout: string;
  readonly stderr: string;
}

const MAX_OUTPUTS = 16;
const MAX_CHARACTERS = 32 * 1024 * 1024;

/** Stores the output of the last commands, for `shell_output`. */
export class OutputHistory {
  readonly #outputs = new Map<number, StoredOutput>();
  #lastId = 0;
  #characters = 0;

  /** Returns the id of the output. Drops the oldest outputs when a limit is exceeded. */
  keep(output: StoredOutput): number {
    this.#outputs.set(++this.#lastId, output);
    this.#characters += sizeOf(output);
    for (const [id, old] of this.#outputs) {
      if (this.#outputs.size <= MAX_OUTPUTS && this.#characters <= MAX_CHARACTERS) break;
      this.#outputs.delete(id);
      this.#characters -= sizeOf(old);
    }
    return this.#lastId;
  }

  find(id: number): StoredOutput | undefined {
    return this.#outputs.get(id);
  }

  /** The ids that are still stored, the oldest first. */
  get ids(): readonly number[] {
    return [...this.#outputs.keys()];
  }
}

function sizeOf({ stdout, stderr }: StoredOutput): number {
  return stdout.length + stderr.length;
}
