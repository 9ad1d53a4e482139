import type { StandardSchemaV1 } from "@standard-schema/spec";

/**
 * `unknown` for a schema that accepts its own output, else a message that no schema is assignable to.
 *
 * Values are stored as the schema's output and validated again when they are read, so defaults are allowed but a change
 * of type is not.
 */
export type StableSchema<Schema extends StandardSchemaV1> = [
  StandardSchemaV1.InferOutput<Schema>,
] extends [StandardSchemaV1.InferInput<Schema>]
  ? unknown
  : "The schema must accept its own output: it is applied again when state is read back.";
