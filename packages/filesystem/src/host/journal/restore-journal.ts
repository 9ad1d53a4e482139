import { dirname } from "node:path";
import { isObjectId, type ObjectFormat } from "../git-store/object-format.js";
import { readIfThere, removeIfThere, replaceFile, syncDirectory } from "../process/store-io.js";

/**
 * Records on disk which state a workspace is being restored to.
 *
 * This is enough for recovery: the next process that opens the workspace restores that state, whatever the
 * workspace contains.
 */
export class RestoreJournal {
  readonly #path: string;
  readonly #format: ObjectFormat;
  readonly #fsync: boolean;

  constructor(path: string, format: ObjectFormat, fsync: boolean) {
    this.#path = path;
    this.#format = format;
    this.#fsync = fsync;
  }

  /** The commit of a restore that was started and not finished. */
  read(): string | undefined {
    const id = readIfThere(this.#path)?.toString("latin1").trim();
    return isObjectId(this.#format, id) ? id : undefined;
  }

  begin(commitId: string): void {
    replaceFile(this.#path, [Buffer.from(`${commitId}\n`)], { fsync: this.#fsync });
  }

  end(): void {
    const existed = removeIfThere(this.#path);
    if (existed && this.#fsync) syncDirectory(dirname(this.#path));
  }
}
