/** The longest name that a tool may have with its section's prefix. */
const LONGEST = 64;

/** Gives foreign names a form that every model takes, each only once. */
export class ForeignNames {
  readonly #longest: number;
  readonly #taken = new Set<string>();

  constructor(toolPrefix: string) {
    this.#longest = LONGEST - toolPrefix.length;
  }

  take(foreignName: string): string {
    const plain = foreignName.replace(/[^A-Za-z0-9_-]+/g, "_");
    const base = /^[A-Za-z]/.test(plain) ? plain : `tool_${plain}`;
    let name = base.slice(0, this.#longest);
    for (let count = 2; this.#taken.has(name); count++) {
      const suffix = `_${count}`;
      name = `${base.slice(0, this.#longest - suffix.length)}${suffix}`;
    }
    this.#taken.add(name);
    return name;
  }
}
