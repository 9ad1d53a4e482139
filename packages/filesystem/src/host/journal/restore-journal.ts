import { dirname } from "node:path";
import { isObjectId, type ObjectFormat } from "../git-store/object-format.js";
import { readIfThere, removeIfThere, replaceFile, syncDirectory } from "../process/store-io.js";

/**
 * Says which state a workspace is on its way to.
 *
 * That is all there is to know: whoever finds it goes on to that state from wherever
 * the workspace is.
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

  /** The commit of a restore that was begun and not ended. */
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
