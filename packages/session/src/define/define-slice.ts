import type { StandardSchemaV1 } from "@standard-schema/spec";
import { requireFunction, requireOptions } from "./check-argument.js";
import type { EventDeclaration, PayloadOf } from "./define-event.js";
import {
  declare,
  type Registration,
  SLICE_OPTIONS,
  type SliceDefinition,
  type SliceOptions,
} from "./definition.js";
import type { StableSchema } from "./stable-schema.js";

/** Gets the old items and a payload, returns all new items. Pure and synchronous. */
export type ListReducer<Item, Payload> = (
  items: readonly Item[],
  payload: Payload,
) => readonly Item[];

/** Binds a reducer to an event. */
export type OnList<Item> = <Event extends EventDeclaration>(
  event: Event,
  reduce: ListReducer<Item, PayloadOf<Event>>,
) => Registration<Item>;

/** Identifies a list of `Item` in every session. */
export interface SliceToken<Name extends string = string, Item = unknown>
  extends SliceDefinition<Name, Item> {
  readonly kind: "list";
}

export interface DefineSliceOptions<Name extends string, Schema extends StandardSchemaV1>
  extends SliceOptions<Name> {
  /** Checks one item. */
  readonly schema: Schema & StableSchema<Schema>;
  /** The reducers of the list, by event. @default none */
  readonly reducers?: (
    on: OnList<StandardSchemaV1.InferOutput<Schema>>,
  ) => readonly Registration<StandardSchemaV1.InferOutput<Schema>>[];
}

/** Declares a list that events change. */
export function defineSlice<const Name extends string, Schema extends StandardSchemaV1>(
  options: DefineSliceOptions<Name, Schema>,
): SliceToken<Name, StandardSchemaV1.InferOutput<Schema>> {
  requireOptions("defineSlice", options, [...SLICE_OPTIONS, "schema", "reducers"]);
  requireFunction("defineSlice: reducers", options.reducers);
  const reducers = options.reducers?.((event, reduce) => ({ event, reduce })) ?? [];
  const schema: StandardSchemaV1<unknown, StandardSchemaV1.InferOutput<Schema>> = options.schema;
  return Object.freeze({ ...declare("list", schema, options, reducers), kind: "list" });
}
