/** Each code, with the reason that is used if none is given. */
const REASONS = {
  ARGUMENT_INVALID: "the argument is not valid",
  // A tool call.
  RESULT_INVALID: "the handler did not return a tool result",
  SESSION_READ_ONLY: "the tool may not change the session",
  TOOL_CALL_FAILED: "the call failed",
  // A request to a model.
  RATE_LIMITED: "the provider's rate limit is reached",
  OVERLOADED: "the provider is overloaded",
  SERVER_ERROR: "the provider failed",
  NETWORK: "the connection to the provider failed",
  MALFORMED: "the provider's answer could not be read",
  QUOTA_EXHAUSTED: "the account's quota is used up",
  UNAUTHORIZED: "the provider refused the key",
  NOT_FOUND: "the provider has no such model",
  REFUSED: "the provider will not answer this",
  INVALID_REQUEST: "the provider refused the request",
  CONTEXT_LENGTH: "the request is longer than the model can read",
  NOT_INSTALLED: "the provider's package is not installed",
  // A run, and a subagent.
  NO_OUTPUT: "the run ended before the model returned the template's output",
  OUTPUT_INVALID: "the model's answer does not fit the template's output",
  UNFINISHED: "the run ended before the model was done",
  PARKED: "the run waits for something outside. Answer it, then continue the run",
  TOO_DEEP: "the maximum nesting depth is reached. Do the work here",
  NOT_FORKABLE: "the files of this tool cannot be forked. Do the work here",
  // A recorded run.
  CASSETTE_INVALID: "the text is not a recorded run",
  REQUEST_CHANGED: "a request differs from the recorded one",
  CASSETTE_ENDED: "this run makes more requests than the recorded one. Record it again",
  // A run on disk.
  JOURNAL_INVALID: "a line was not written by WINK. Nothing was changed",
  JOURNAL_FAILED: "a line could not be written. The call was not made, or was rolled back",
  DIRECTORY_INSIDE: "it must be outside the workspace. Choose another directory",
  RUN_INVALID: "it is not a run that this version of WINK reads",
  STATE_MISSING: "the run stored no states of its files",
  AGENT_CHANGED: "the prompt is not the one that the run began with",
  NOT_RESUMABLE: "the run cannot be continued",
  TRANSCRIPT_INVALID: "a line was not written by WINK",
  TRANSCRIPT_FAILED: "a line could not be written",
  // Errors of an MCP server of this package, and of a foreign one.
  TOKEN_INVALID: "the token is not usable",
  SOCKET_INVALID: "the socket cannot be made",
  SOCKET_IN_USE: "its path is taken. End the server that uses it, or choose another path",
  UNREACHABLE: "the server could not be started or reached",
  TOOLS_INVALID: "the server's list of tools could not be read",
} as const;

/** The reason that an error of this code has if none is given. */
export function reasonOf(code: AdapterError["code"]): string {
  return REASONS[code];
}

// A registered symbol, so that `isAdapterError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.error");

/** The base of all errors of this package. Branch on `code`; `message` is for people. */
export class AdapterError extends Error {
  override readonly name: string = "AdapterError";
  /** The kinds of errors of this package. The set is closed, and a code never changes its meaning. */
  readonly code: keyof typeof REASONS;
  /** What the error is about, such as `tool 'edit_file'`. Never a host path. */
  readonly subject: string;
  /** The problem, and what to do. */
  readonly reason: string;
  readonly [BRAND] = true;

  constructor(
    code: AdapterError["code"],
    options: {
      readonly subject: string;
      /** @default the reason of the code */
      readonly reason?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    // A caller in JavaScript may forget them. An error that cannot be created would hide the problem.
    const given: Partial<typeof options> = options ?? {};
    const { subject = "adapter", reason = REASONS[code] ?? "it failed", cause } = given;
    // A reason with several lines ends with a diff, which has no full stop.
    const end = /[.?!]$/.test(reason) || reason.includes("\n") ? "" : ".";
    super(`${subject}: ${reason}${end}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
    this.reason = reason;
  }
}

/** Whether `error` is an {@link AdapterError}, of `code` if one is given. */
export function isAdapterError(error: unknown, code?: AdapterError["code"]): error is AdapterError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}
