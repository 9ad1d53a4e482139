import type { StandardSchemaV1 } from "@standard-schema/spec";
import { checkValue } from "./check-value.js";
import { checkName } from "./definition-name.js";
import { Given } from "./given.js";
import type { StableSchema } from "./stable-schema.js";

/** Something that happened, as plain data. Made by calling an {@link EventToken}. */
export interface SessionEvent<Type extends string = string, Payload = unknown> {
  readonly type: Type;
  readonly payload: Payload;
}

/** What a token says of its events: enough to check one, without being able to make one. */
export interface EventDeclaration<Type extends string = string, Payload = unknown> {
  readonly type: Type;
  readonly schema: StandardSchemaV1<unknown, Payload>;
}

/** The payload of a declared event, as reducers and observers get it. */
export type PayloadOf<Event extends EventDeclaration> = StandardSchemaV1.InferOutput<
  Event["schema"]
>;

/** Makes events of one type. It carries the type and the schema, and stands for both. */
export interface EventToken<Type extends string, Schema extends StandardSchemaV1> {
  /** A frozen event, its defaults filled in. Throws `event_invalid` when the payload does not fit. */
  (
    ...payload: PayloadArguments<StandardSchemaV1.InferInput<Schema>>
  ): SessionEvent<Type, StandardSchemaV1.InferOutput<Schema>>;
  readonly type: Type;
  readonly schema: Schema;
  /** Whether `event` is of this type; narrows a recorded event to its payload. */
  is<Event extends SessionEvent>(
    event: Event,
  ): event is Event & SessionEvent<Type, StandardSchemaV1.InferOutput<Schema>>;
}

type PayloadArguments<Input> = undefined extends Input ? [payload?: Input] : [payload: Input];

/**
 * Declares an event.
 *
 * `type` goes into logs: short, stable for ever, `area.verb-noun`. Any Standard
 * Schema works that answers at once and accepts its own output.
 */
export function defineEvent<const Type extends string, Schema extends StandardSchemaV1>(
  type: Type,
  schema: Schema & StableSchema<Schema>,
): EventToken<Type, Schema> {
  checkName(type, "event");
  const make = (...[payload]: PayloadArguments<StandardSchemaV1.InferInput<Schema>>) =>
    makeEvent<Type, StandardSchemaV1.InferOutput<Schema>>({ type, schema }, payload);
  const is = (event: SessionEvent): event is SessionEvent<Type, never> => event.type === type;
  // The three properties make the function what the interface says; TypeScript cannot follow assign.
  return Object.freeze(Object.assign(make, { type, schema, is })) as unknown as EventToken<
    Type,
    Schema
  >;
}

/** A checked and frozen event of `declaration`, from a payload that may be anything. */
export function makeEvent<Type extends string, Payload>(
  declaration: EventDeclaration<Type, Payload>,
  payload: unknown,
): SessionEvent<Type, Payload> {
  const { type, schema } = declaration;
  const event = {
    type,
    payload: checkValue(schema, payload, {
      subject: `event '${type}'`,
      root: "payload",
      code: "event_invalid",
    }),
  };
  new Checked(event, schema);
  return Object.freeze(event);
}

/** Whether `event` was made by this module with `schema` and so need not be checked again. */
export function isCheckedEvent(event: object, schema?: StandardSchemaV1): boolean {
  const checkedBy = Checked.by(event);
  return checkedBy !== undefined && (schema === undefined || checkedBy === schema);
}

/** The mark of an event that its schema has passed. */
class Checked extends Given {
  readonly #schema: StandardSchemaV1;

  constructor(event: object, schema: StandardSchemaV1) {
    super(event);
    this.#schema = schema;
  }

  static by(event: object): StandardSchemaV1 | undefined {
    return #schema in event ? event.#schema : undefined;
  }
}
