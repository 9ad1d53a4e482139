/** A problem for which Mastra has an error class. */
export type MastraProblem =
  | "file-missing"
  | "directory-missing"
  | "exists"
  | "is-directory"
  | "not-directory"
  | "not-empty"
  | "denied"
  | "stale";

/** The name of Mastra's class, its code and its text. */
const PROBLEMS: Readonly<Record<MastraProblem, readonly [string, string, string]>> = {
  "file-missing": ["FileNotFoundError", "ENOENT", "File not found"],
  "directory-missing": ["DirectoryNotFoundError", "ENOENT", "Directory not found"],
  exists: ["FileExistsError", "EEXIST", "File already exists"],
  "is-directory": ["IsDirectoryError", "EISDIR", "Path is a directory"],
  "not-directory": ["NotDirectoryError", "ENOTDIR", "Path is not a directory"],
  "not-empty": ["DirectoryNotEmptyError", "ENOTEMPTY", "Directory not empty"],
  denied: ["PermissionError", "EACCES", "Permission denied"],
  stale: ["StaleFileError", "ESTALE", "File was modified after it was read"],
};

/** Mastra's error for a problem. Its tools test for its classes, so they are loaded from its package. */
export async function mastraError(
  problem: MastraProblem,
  path: string,
  ...more: unknown[]
): Promise<Error> {
  const [name, code, text] = PROBLEMS[problem];
  const Class = (await loadMastra())[name];
  if (typeof Class === "function") {
    const details = problem === "denied" ? ["access"] : more;
    return Reflect.construct(Class, [path, ...details]) as Error;
  }
  return Object.assign(new Error(`${text}: ${path}`), { name, code, path });
}

async function loadMastra(): Promise<Readonly<Record<string, unknown>>> {
  // Not a literal, so that the compiler does not need the package. It is an optional peer.
  const name = "@mastra/core/workspace";
  try {
    return (await import(name)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
