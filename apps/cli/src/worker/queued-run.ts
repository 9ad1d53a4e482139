import type { JsonValue } from "@wink/session";

/** The body of a request for `wink worker`. The id of the request is the id of the run. */
export interface QueuedRun {
  /** The agent's parameters. @default none */
  readonly params?: Readonly<Record<string, JsonValue>> | undefined;
}
