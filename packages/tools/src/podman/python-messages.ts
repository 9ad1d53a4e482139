import type { PythonOutcome } from "../python/python-engine.js";

/** Longer than any message of `CONTAINER_PYTHON`. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** Collects chunks into lines of JSON. Ignores lines that are not JSON or are too long. */
export function readLines(onMessage: (message: unknown) => void): (chunk: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    let rest = chunk;
    for (let end = rest.indexOf(0x0a); end >= 0; end = rest.indexOf(0x0a)) {
      const line = Buffer.concat([...pieces, rest.subarray(0, end)]);
      pieces = [];
      length = 0;
      rest = rest.subarray(end + 1);
      const message = parse(line);
      if (message !== undefined) onMessage(message);
    }
    length += rest.length;
    if (length > MAX_LINE_BYTES) pieces = [];
    else if (rest.length > 0) pieces.push(rest);
  };
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString("utf8"));
  } catch {
    return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

export function isCall(
  message: unknown,
): message is { readonly name: string; readonly args: readonly unknown[] } {
  return (
    isFields(message) &&
    message.type === "call" &&
    typeof message.name === "string" &&
    Array.isArray(message.args)
  );
}

/** A program can forge this message, so check its shape. Then it can only misreport its own result. */
export function isOutcome(message: unknown): message is { readonly outcome: PythonOutcome } {
  if (!isFields(message) || message.type !== "done" || !isFields(message.outcome)) return false;
  const { kind, stdout, stderr, limit, error, globals, exported } = message.outcome;
  if (typeof stdout !== "string") return false;
  if (kind === "ended") return ["time", "memory", "recursion", "output"].includes(String(limit));
  if (kind === "raised") return typeof error === "string" && typeof stderr === "string";
  return (
    kind === "completed" &&
    typeof stderr === "string" &&
    "result" in message.outcome &&
    isFields(globals) &&
    isFields(exported) &&
    Object.values(exported).every((text) => typeof text === "string")
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
