import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { EventDeclaration } from "./define-event.js";
import { checkName, refuseSecondDeclaration } from "./definition-name.js";
import { SessionError } from "./session-error.js";

/** The common part of lists and single values. */
export interface SliceDefinition<Name extends string = string, Item = unknown> {
  readonly kind: "list" | "value";
  /** The name in snapshots. Keep it short and never change it. */
  readonly name: Name;
  /** Checks one item of a list, or the value of a state. */
  readonly schema: StandardSchemaV1<unknown, Item>;
  readonly policy: "state" | "log";
  readonly version: number;
  /** Converts one stored item (or the value) from an older version. The schema checks the result. */
  readonly migrate: ((stored: unknown, fromVersion: number) => unknown) | undefined;
  readonly reducers: readonly Registration[];
}

/** Options that `defineSlice` and `defineState` share. */
export interface SliceOptions<Name extends string> {
  readonly name: Name;
  /** @default "state" */
  readonly policy?: "state" | "log";
  /** Increase it when the schema changes and older values no longer match. @default 1 */
  readonly version?: number;
  /** Converts values of older versions. @default none: older versions are rejected */
  readonly migrate?: (stored: unknown, fromVersion: number) => unknown;
}

/** The names of {@link SliceOptions}. */
export const SLICE_OPTIONS: readonly string[] = ["name", "policy", "version", "migrate"];

/** A reducer of an `Item` or a list of them, bound to its event. Made by `on` or `register`. */
export interface Registration<Item = unknown> {
  /** For the compiler only. */
  readonly item?: Item;
  readonly event: EventDeclaration;
  // The types of the payload and the value are known where the reducer is made. Here it is only stored.
  readonly reduce: (current: never, payload: never) => unknown;
}

/** Checks the common part of a definition and fills in defaults. */
export function declare<Name extends string, Item>(
  kind: "list" | "value",
  schema: StandardSchemaV1<unknown, Item>,
  options: SliceOptions<Name>,
  reducers: readonly Registration[],
): SliceDefinition<Name, Item> {
  const { name, policy = "state", version = 1, migrate } = options;
  checkName(name, "slice");
  const subject = `slice '${name}'`;
  if (!Array.isArray(reducers))
    throw new SessionError("DEFINITION_INVALID", subject, "reducers must return an array of on(…)");
  if (!Number.isSafeInteger(version) || version < 1)
    throw new SessionError(
      "DEFINITION_INVALID",
      subject,
      "version must be a whole number of at least 1",
    );
  if (policy !== "state" && policy !== "log")
    throw new SessionError("DEFINITION_INVALID", subject, "policy must be 'state' or 'log'");
  if (typeof schema?.["~standard"]?.validate !== "function")
    throw new SessionError("DEFINITION_INVALID", subject, "schema is not a Standard Schema");
  refuseSecondDeclaration(name, version);
  return { kind, name, schema, policy, version, migrate, reducers: Object.freeze([...reducers]) };
}
