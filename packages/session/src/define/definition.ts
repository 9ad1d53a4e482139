import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { EventDeclaration } from "./define-event.js";
import { checkName, refuseSecondDeclaration } from "./definition-name.js";
import { SessionError } from "./session-error.js";

/**
 * What a restore does with a slice: `state` goes back with it, `log` stays as it
 * is, so that it tells of what was undone too.
 */
export type SlicePolicy = "state" | "log";

/** What lists and single values have in common. */
export interface SliceDefinition<Name extends string = string, Item = unknown> {
  readonly kind: "list" | "value";
  /** The name in snapshots: short, and stable for ever. */
  readonly name: Name;
  /** Checks one item of a list, or the one value. */
  readonly schema: StandardSchemaV1<unknown, Item>;
  readonly policy: SlicePolicy;
  readonly version: number;
  readonly migrate: Migration | undefined;
  readonly reducers: readonly Registration[];
}

/**
 * Brings one stored item (or the one value) from an older version to the
 * definition's. What it returns is checked by the schema.
 */
export type Migration = (stored: unknown, fromVersion: number) => unknown;

/** Options that `defineSlice` and `defineState` share. */
export interface SliceOptions<Name extends string> {
  readonly name: Name;
  /** @default "state" */
  readonly policy?: SlicePolicy;
  /** Raise it when the schema changes so that older values no longer fit. @default 1 */
  readonly version?: number;
  /** Reads values of older versions. Without it they are refused. */
  readonly migrate?: Migration;
}

/** One reducer and the event it answers to. Made by `on` or `register`. */
export interface Registration {
  readonly event: EventDeclaration;
  // Which payload and which value it takes is known where it is made; here it is only carried.
  readonly reduce: (current: never, payload: never) => unknown;
}

/** Checks the shared part of a definition and completes it. */
export function declare<Name extends string, Item>(
  kind: "list" | "value",
  schema: StandardSchemaV1<unknown, Item>,
  options: SliceOptions<Name>,
  reducers: readonly Registration[],
): SliceDefinition<Name, Item> {
  const { name, policy = "state", version = 1, migrate } = options;
  checkName(name, "slice");
  const subject = `slice '${name}'`;
  if (!Number.isSafeInteger(version) || version < 1)
    throw new SessionError("definition_invalid", {
      subject,
      reason: "version is a whole number from 1",
    });
  if (policy !== "state" && policy !== "log")
    throw new SessionError("definition_invalid", { subject, reason: "policy is 'state' or 'log'" });
  if (typeof schema?.["~standard"]?.validate !== "function")
    throw new SessionError("definition_invalid", {
      subject,
      reason: "schema is not a Standard Schema",
    });
  refuseSecondDeclaration(name, version);
  return { kind, name, schema, policy, version, migrate, reducers: Object.freeze([...reducers]) };
}
