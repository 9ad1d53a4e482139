/** Maximum length of a tool's name, including its section's prefix. */
const LONGEST = 64;

/** Converts foreign names to unique names that every model accepts. */
export class ForeignNames {
  readonly #longest: number;
  readonly #taken = new Set<string>();
  /** The last suffix per name, so that a thousand equal names need only a thousand attempts. */
  readonly #lastCounts = new Map<string, number>();

  constructor(toolPrefix: string) {
    this.#longest = LONGEST - toolPrefix.length;
  }

  take(foreignName: string): string {
    const plain = foreignName.replace(/[^A-Za-z0-9_-]+/g, "_");
    const base = /^[A-Za-z]/.test(plain) ? plain : `tool_${plain}`;
    const wanted = base.slice(0, this.#longest);
    let name = wanted;
    let count = this.#lastCounts.get(wanted) ?? 1;
    while (this.#taken.has(name)) {
      const suffix = `_${++count}`;
      name = `${base.slice(0, this.#longest - suffix.length)}${suffix}`;
    }
    this.#lastCounts.set(wanted, count);
    this.#taken.add(name);
    return name;
  }
}
