import { once } from "node:events";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  rmSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import type { Server } from "node:http";
import { connect } from "node:net";
import { dirname, join, resolve } from "node:path";
import { AdapterError } from "../error/adapter-error.js";

const OWNER_ONLY = 0o600;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
/** The limit for the path of a Unix socket that works on every system. */
const MAX_PATH_BYTES = 103;

/**
 * Makes `server` listen on a Unix socket to which only the user of this process can connect.
 *
 * The socket is created in a directory that only this user can enter. It is linked to `path`
 * after its mode is set, so another user can never connect. Returns a function that removes the
 * socket.
 */
export async function listenOnSocket(server: Server, path: string): Promise<() => void> {
  const place = resolve(path);
  if (Buffer.byteLength(place) > MAX_PATH_BYTES)
    throw new AdapterError("SOCKET_INVALID", {
      subject: "socket",
      reason: `its whole path has more than ${MAX_PATH_BYTES} bytes. Choose a shorter one`,
    });
  requireSafeDirectory(place);
  await removeStale(place);
  const guarded = mkdtempSync(join(dirname(place), ".w-"));
  try {
    const made = join(guarded, "s");
    server.listen(made);
    await once(server, "listening");
    chmodSync(made, OWNER_ONLY);
    linkSync(made, place);
    const { ino } = lstatSync(place);
    return () => {
      if (statOf(place)?.ino === ino) unlinkSync(place);
    };
  } catch (error) {
    server.close();
    throw new AdapterError("SOCKET_INVALID", {
      subject: "socket",
      reason: `the socket cannot be made (${codeOf(error)}). Choose a short path in a directory that you can write to`,
      cause: error,
    });
  } finally {
    rmSync(guarded, { recursive: true, force: true });
  }
}

/**
 * If other users can write to the directory, they could replace the socket, and clients would
 * talk to their server.
 */
function requireSafeDirectory(place: string): void {
  const directory = statOf(dirname(place));
  if (!directory?.isDirectory())
    throw new AdapterError("SOCKET_INVALID", {
      subject: "socket",
      reason: "its directory does not exist. Make the directory, or choose another path",
    });
  const others = (directory.mode & WRITABLE_BY_OTHERS) !== 0 && (directory.mode & STICKY) === 0;
  if (others)
    throw new AdapterError("SOCKET_INVALID", {
      subject: "socket",
      reason:
        "other users can write to its directory. Choose a directory of your own, such as $XDG_RUNTIME_DIR",
    });
}

/** Removes a stale socket of an earlier process of this user. Throws for anything else. */
async function removeStale(place: string): Promise<void> {
  const found = statOf(place);
  if (found === undefined) return;
  const isOwn = found.isSocket() && found.uid === process.getuid?.();
  if (!isOwn || (await isServed(place)))
    throw new AdapterError("SOCKET_IN_USE", { subject: "socket" });
  unlinkSync(place);
}

function isServed(place: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(place);
    const end = (served: boolean) => {
      socket.destroy();
      resolve(served);
    };
    socket.once("connect", () => end(true));
    socket.once("error", (error) => end(codeOf(error) !== "ECONNREFUSED"));
  });
}

function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown";
}
