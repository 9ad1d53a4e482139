import type { StandardSchemaV1 } from "@standard-schema/spec";

/**
 * `unknown` for a schema that can read what it wrote, else a sentence that no
 * schema is assignable to.
 *
 * Values are stored as the schema's output and pass through the schema again
 * when they are read back, so defaults are fine and a change of type is not.
 */
export type StableSchema<Schema extends StandardSchemaV1> = [
  StandardSchemaV1.InferOutput<Schema>,
] extends [StandardSchemaV1.InferInput<Schema>]
  ? unknown
  : "The schema must accept its own output: it is applied again when state is read back.";
