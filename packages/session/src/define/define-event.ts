import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkValue } from "./check-value.js";
import { checkName } from "./definition-name.js";
import { SessionError } from "./session-error.js";
import type { StableSchema } from "./stable-schema.js";

/** An event as plain data. Call an {@link EventToken} to make one. */
export interface SessionEvent<Type extends string = string, Payload = unknown> {
  readonly type: Type;
  readonly payload: Payload;
}

/** The type and the schema of an event: enough to check one, but not to make one. */
export interface EventDeclaration<Type extends string = string, Payload = unknown> {
  readonly type: Type;
  readonly schema: StandardSchemaV1<unknown, Payload>;
}

/** The payload of an event, as reducers and observers receive it. */
export type PayloadOf<Event extends EventDeclaration> = StandardSchemaV1.InferOutput<
  Event["schema"]
>;

/** Makes events of one type. It has the type and the schema as properties. */
export interface EventToken<Type extends string, Schema extends StandardSchemaV1> {
  /**
   * Returns a frozen event with defaults filled in. Throws `EVENT_INVALID` when the payload does not match the schema.
   */
  (
    ...payload: undefined extends StandardSchemaV1.InferInput<Schema>
      ? [payload?: StandardSchemaV1.InferInput<Schema>]
      : [payload: StandardSchemaV1.InferInput<Schema>]
  ): SessionEvent<Type, StandardSchemaV1.InferOutput<Schema>>;
  readonly type: Type;
  readonly schema: Schema;
  /** Whether `event` is of this type. Narrows a recorded event to its payload. */
  is<Event extends SessionEvent>(
    event: Event,
  ): event is Event & SessionEvent<Type, StandardSchemaV1.InferOutput<Schema>>;
}

/**
 * Declares an event.
 *
 * `type` is stored in logs, so keep it short and never change it. Use the form `area.verb-noun`. `schema` may be any
 * Standard Schema that is synchronous and accepts its own output.
 */
export function defineEvent<const Type extends string, Schema extends StandardSchemaV1>(
  type: Type,
  schema: Schema & StableSchema<Schema>,
): EventToken<Type, Schema> {
  checkName(type, "event");
  if (typeof schema?.["~standard"]?.validate !== "function")
    throw new SessionError(
      "DEFINITION_INVALID",
      `event '${type}'`,
      "schema is not a Standard Schema. Pass one, such as z.object({})",
    );
  const make = (payload?: StandardSchemaV1.InferInput<Schema>) =>
    makeEvent<Type, StandardSchemaV1.InferOutput<Schema>>({ type, schema }, payload);
  const is = (event: SessionEvent): event is SessionEvent<Type, never> => event?.type === type;
  // `Object.assign` adds the three properties of the interface, which TypeScript cannot infer.
  return Object.freeze(Object.assign(make, { type, schema, is })) as unknown as EventToken<
    Type,
    Schema
  >;
}

/** Makes a checked and frozen event from an unknown payload. */
export function makeEvent<Type extends string, Payload>(
  declaration: EventDeclaration<Type, Payload>,
  payload: unknown,
): SessionEvent<Type, Payload> {
  const { type, schema } = declaration;
  const subject = `event '${type}'`;
  const checked = checkValue(schema, payload, { subject, root: "payload", code: "EVENT_INVALID" });
  const event = Object.freeze({ type, payload: checked });
  checkedBy.set(event, schema);
  return event;
}

/** The schemas that events passed. A session keeps no reference to these events, so the entries are short-lived. */
const checkedBy = new WeakMap<object, StandardSchemaV1>();

/** Whether this module made `event` with `schema`. Then it need not be checked again. */
export function isCheckedEvent(event: object, schema?: StandardSchemaV1): boolean {
  const passed = checkedBy.get(event);
  return passed !== undefined && (schema === undefined || passed === schema);
}
