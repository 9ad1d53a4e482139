/**
 * The names that a shell gave to one file with `ln`. A WINK filesystem has no hard links, because a snapshot, a diff and a
 * patch cannot describe them. Each name is a separate file, and the shell writes to all names together.
 */
export class HardLinks {
  /** The names of a file, by each of them. */
  readonly #files = new Map<string, LinkedFile>();
  #count = 0;

  add(existing: string, name: string): void {
    this.#count += 1;
    const file = this.#files.get(existing) ?? { id: this.#count, names: new Set([existing]) };
    file.names.add(name);
    for (const each of [existing, name]) this.#files.set(each, file);
  }

  /** All names of the file, with `name` first. */
  namesOf(name: string): readonly string[] {
    return [...new Set([name, ...(this.#files.get(name)?.names ?? [])])];
  }

  /** Identifies a linked file: equal for all its names. `undefined` for a file with one name. */
  identityOf(name: string): string | undefined {
    const id = this.#files.get(name)?.id;
    return id === undefined ? undefined : `hard-link:${id}`;
  }

  /** Forgets a name and the names below it, because they are deleted or replaced. */
  remove(path: string): void {
    for (const name of this.#below(path)) {
      this.#files.get(name)?.names.delete(name);
      this.#files.delete(name);
    }
  }

  /** Renames a name and the names below it. */
  move(from: string, to: string): void {
    this.remove(to);
    for (const name of this.#below(from)) {
      const file = this.#files.get(name);
      if (file === undefined) continue;
      const moved = `${to}${name.slice(from.length)}`;
      file.names.delete(name);
      file.names.add(moved);
      this.#files.delete(name);
      this.#files.set(moved, file);
    }
  }

  #below(path: string): readonly string[] {
    return [...this.#files.keys()].filter((name) => name === path || name.startsWith(`${path}/`));
  }
}

interface LinkedFile {
  readonly id: number;
  readonly names: Set<string>;
}
