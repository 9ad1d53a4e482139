import type { StandardSchemaV1 } from "@standard-schema/spec";
import { requireFunction, requireOptions } from "./check-argument.js";
import { checkValue } from "./check-value.js";
import type { EventDeclaration, PayloadOf } from "./define-event.js";
import {
  declare,
  type Registration,
  SLICE_OPTIONS,
  type SliceDefinition,
  type SliceOptions,
} from "./definition.js";
import type { StableSchema } from "./stable-schema.js";

/** Gets the old value and a payload, returns the new value. Pure and synchronous. */
export type StateReducer<Value, Payload> = (value: Value, payload: Payload) => Value;

/** Binds a reducer to an event. */
export type OnState<Value> = <Event extends EventDeclaration>(
  event: Event,
  reduce: StateReducer<Value, PayloadOf<Event>>,
) => Registration<Value>;

/** Identifies one `Value` in every session. */
export interface StateToken<Name extends string = string, Value = unknown>
  extends SliceDefinition<Name, Value> {
  readonly kind: "value";
  /** The first input of reducers, and the result of `session.state` until there is a value. */
  readonly initial: Value;
}

export interface DefineStateOptions<Name extends string, Schema extends StandardSchemaV1>
  extends SliceOptions<Name> {
  readonly schema: Schema & StableSchema<Schema>;
  /** Validated with the schema when the state is declared. */
  readonly initial: NoInfer<StandardSchemaV1.InferOutput<Schema>>;
  /** The reducers of the value, by event. @default none */
  readonly reducers?: (
    on: OnState<StandardSchemaV1.InferOutput<Schema>>,
  ) => readonly Registration<StandardSchemaV1.InferOutput<Schema>>[];
}

/** Declares a single value that events change. */
export function defineState<const Name extends string, Schema extends StandardSchemaV1>(
  options: DefineStateOptions<Name, Schema>,
): StateToken<Name, StandardSchemaV1.InferOutput<Schema>> {
  requireOptions("defineState", options, [...SLICE_OPTIONS, "schema", "initial", "reducers"]);
  requireFunction("defineState: reducers", options.reducers);
  const reducers = options.reducers?.((event, reduce) => ({ event, reduce })) ?? [];
  const schema: StandardSchemaV1<unknown, StandardSchemaV1.InferOutput<Schema>> = options.schema;
  const definition = declare("value", schema, options, reducers);
  const initial = checkValue(schema, options.initial, {
    subject: `state '${options.name}'`,
    root: "initial",
    code: "DEFINITION_INVALID",
  });
  return Object.freeze({ ...definition, kind: "value", initial });
}
