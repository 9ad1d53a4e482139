/** Why a question has no answer. */
export type SourceErrorCode =
  /** The run, event, turn, call or content does not exist. */
  | "UNKNOWN"
  /** The source does not have the data: the run did not store it, or the export omitted it. */
  | "MISSING"
  /** The question is not valid. */
  | "INVALID"
  /** The server refused the request, or is gone. */
  | "UNAVAILABLE";

/** A question about a run that has no answer. */
export class SourceError extends Error {
  readonly code: SourceErrorCode;

  constructor(code: SourceErrorCode, message: string) {
    super(message);
    this.name = "SourceError";
    this.code = code;
  }
}
