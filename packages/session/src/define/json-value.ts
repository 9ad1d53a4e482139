/** A JSON value. */
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;

export type JsonScalar = string | number | boolean | null;

export interface JsonObject {
  readonly [key: string]: JsonValue;
}
