import { constants, type FileHandle, open, writeFile } from "node:fs/promises";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";

const OWNER_ONLY = 0o600;
const FOR_OTHERS = 0o077;
const MAX_BYTES = 4_096;

/**
 * Reads the token from a file that only its owner can read. `undefined` if the file does not exist.
 */
export async function readTokenFile(path: string): Promise<string | undefined> {
  // These flags refuse a symbolic link and do not block on a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let file: FileHandle;
  try {
    file = await open(path, flags);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw unusable(path, "it cannot be read", "Name a file of your own.", error);
  }
  try {
    await requireOwn(path, file);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}

/** Saves a token in a new file that only its owner can read. */
export async function writeTokenFile(path: string, token: string): Promise<void> {
  try {
    await writeFile(path, `${token}\n`, { flag: "wx", mode: OWNER_ONLY });
  } catch (error) {
    throw unusable(path, "it cannot be written", "Name a file in a directory of your own.", error);
  }
}

async function requireOwn(path: string, file: FileHandle): Promise<void> {
  const stat = await file.stat();
  if (!stat.isFile()) throw unusable(path, "it is not a file", "Name a file of your own.");
  if (stat.uid !== process.getuid?.())
    throw unusable(path, "it belongs to another user", "Name a file of your own.");
  if ((stat.mode & FOR_OTHERS) !== 0)
    throw unusable(path, "other users can open it", `Run: chmod 600 ${path}`);
}

function unusable(path: string, problem: string, hint: string, cause?: unknown): CliError {
  const exitCode = EXIT_CODES.refused;
  return new CliError(`--token-file ${path}: ${problem}.`, { exitCode, hint, cause });
}
