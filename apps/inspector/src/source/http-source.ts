import { QUESTIONS, type Question } from "./questions.js";
import type { RunSource } from "./run-source.js";
import { SourceError } from "./source-error.js";

export interface HttpSourceOptions {
  /** The address of the server, such as `http://127.0.0.1:4400/`. */
  readonly base: string;
  readonly token: string;
  /** @default the global `fetch` */
  readonly fetch?: typeof fetch | undefined;
}

/** Asks `wink inspect` over HTTP. */
export function httpSource(options: HttpSourceOptions): RunSource {
  const asks = QUESTIONS.map((name) => {
    const send = (...args: readonly unknown[]) => {
      const signal = args.find((each) => each instanceof AbortSignal);
      return ask(
        options,
        name,
        args.filter((each) => each !== signal),
        signal,
      );
    };
    return [name, send] as const;
  });
  // The server answers each question with the type of its method.
  return Object.fromEntries(asks) as unknown as RunSource;
}

async function ask(
  { base, token, fetch: send = globalThis.fetch }: HttpSourceOptions,
  name: Question,
  args: readonly unknown[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const query = new URLSearchParams({ q: JSON.stringify(args) });
  const request = { headers: { authorization: `Bearer ${token}` }, signal: signal ?? null };
  const response = await send(new URL(`api/${name}?${query}`, base), {
    ...request,
    ...{ credentials: "omit", cache: "no-store", redirect: "error" },
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new SourceError("UNAVAILABLE", "`wink inspect` does not answer. Start it again.");
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { error = {} } = Object(answer) as { error?: { code?: unknown; message?: unknown } };
  const code = CODES.find((each) => each === error.code) ?? "UNAVAILABLE";
  throw new SourceError(code, String(error.message ?? `The server answered ${response.status}.`));
}

const CODES = ["UNKNOWN", "MISSING", "INVALID"] as const;
