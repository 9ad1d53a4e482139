import { PromptError } from "../error/prompt-error.js";
import type { JsonSchema } from "./schema.js";

type Node = Readonly<Record<string, unknown>>;
/** A schema is copied for each reference to it or a part of it, and for each set of dynamic anchors. */
const MAX_COPIES = 20_000;
const NEEDS_RESOLVING = /"\$(?:dynamicRef|dynamicAnchor|anchor)":/;
const BASE = "schema:/root";

/** A schema with its own `$id`, or the root. */
interface Resource {
  readonly root: unknown;
  readonly uri: string;
  readonly anchors: Map<string, unknown>;
  readonly dynamicAnchors: Map<string, unknown>;
}

interface Place {
  readonly schema: unknown;
  readonly resource: Resource;
}

/** The dynamic anchors of the resources on the way to a schema. The first resource with an anchor wins. */
type Scope = ReadonlyMap<string, Place>;

/**
 * Replaces anchors and dynamic references, which the validator does not know, by references to `$defs`. A schema that is
 * reached through different resources gets one definition for each, because its dynamic references differ. A schema without
 * anchors is returned as it is.
 */
export function resolveReferences(schema: JsonSchema): JsonSchema {
  if (!NEEDS_RESOLVING.test(JSON.stringify(schema))) return schema;
  return new Resolver(schema).resolve();
}

class Resolver {
  readonly #root: Resource;
  readonly #resources = new Map<string, Resource>();
  readonly #resourceOf = new Map<unknown, Resource>();
  readonly #names = new Map<unknown, Map<string, string>>();
  readonly #definitions: Record<string, unknown> = {};
  readonly #pending: (() => void)[] = [];
  readonly #ids = new Map<unknown, number>();
  #copies = 0;

  constructor(schema: JsonSchema) {
    this.#root = this.#index(schema, undefined) as Resource;
  }

  resolve(): JsonSchema {
    const copy = this.#copy(this.#root.root, this.#root, this.#enter(this.#root, new Map()));
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
    return { ...(copy as JsonSchema), $defs: this.#definitions };
  }

  /** Registers the resources and anchors in a schema. Returns the resource that the schema belongs to. */
  #index(schema: unknown, around: Resource | undefined): Resource | undefined {
    if (!isNode(schema)) return around;
    const { $id, $anchor, $dynamicAnchor } = schema;
    let resource = around;
    if (resource === undefined || typeof $id === "string") {
      const uri = resolveUri(typeof $id === "string" ? $id : "", around?.uri ?? BASE)?.uri;
      resource = { root: schema, uri: uri ?? BASE, anchors: new Map(), dynamicAnchors: new Map() };
      this.#resources.set(resource.uri, resource);
      if (around === undefined) this.#resources.set(BASE, resource);
    }
    this.#resourceOf.set(schema, resource);
    if (typeof $anchor === "string") resource.anchors.set($anchor, schema);
    if (typeof $dynamicAnchor === "string") resource.dynamicAnchors.set($dynamicAnchor, schema);
    for (const [, child] of subschemas(schema)) this.#index(child, resource);
    return resource;
  }

  #copy(schema: unknown, around: Resource, outer: Scope): unknown {
    if (!isNode(schema)) return schema;
    if (++this.#copies > MAX_COPIES) throw tooLarge();
    const resource = this.#resourceOf.get(schema) ?? around;
    const scope = resource === around ? outer : this.#enter(resource, outer);
    const copy = mapSubschemas(schema, (child) => this.#copy(child, resource, scope));
    const { $ref, $dynamicRef } = schema;
    const references = [
      ...(typeof $ref === "string" ? [this.#static($ref, resource, scope)] : []),
      ...(typeof $dynamicRef === "string" ? [this.#dynamic($dynamicRef, resource, scope)] : []),
    ];
    if (references[0] !== undefined) copy["$ref"] = references[0];
    if (references[1] !== undefined)
      copy["allOf"] = [...((copy["allOf"] as unknown[]) ?? []), { $ref: references[1] }];
    return copy;
  }

  #static(reference: string, from: Resource, scope: Scope): string {
    const found = this.#find(reference, from);
    // The validator reports a reference that is not found.
    return found === undefined ? reference : this.#definition(found, scope);
  }

  #dynamic(reference: string, from: Resource, scope: Scope): string {
    const found = this.#find(reference, from);
    if (found === undefined) return reference;
    const anchor = reference.slice(reference.indexOf("#") + 1);
    const isDynamic = found.resource.dynamicAnchors.get(anchor) === found.schema;
    return this.#definition((isDynamic ? scope.get(anchor) : undefined) ?? found, scope);
  }

  /** A reference to the copy of a schema for a scope. */
  #definition({ schema, resource }: Place, outer: Scope): string {
    const scope = this.#enter(resource, outer);
    const key = [...scope].map(([anchor, place]) => `${anchor} ${this.#id(place.schema)}`).join();
    const names = this.#names.get(schema) ?? new Map<string, string>();
    this.#names.set(schema, names);
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = `${this.#id(schema)}.${names.size}`;
    names.set(key, `#/$defs/${name}`);
    this.#pending.push(() => {
      this.#definitions[name] = this.#copy(schema, resource, scope);
    });
    return `#/$defs/${name}`;
  }

  #enter(resource: Resource, scope: Scope): Scope {
    const { dynamicAnchors } = resource;
    if ([...dynamicAnchors.keys()].every((anchor) => scope.has(anchor))) return scope;
    const inner = new Map(scope);
    for (const [anchor, schema] of dynamicAnchors)
      if (!inner.has(anchor)) inner.set(anchor, { schema, resource });
    return inner;
  }

  #find(reference: string, from: Resource): Place | undefined {
    const { uri = "", fragment = "" } = resolveUri(reference, from.uri) ?? {};
    const resource = this.#resources.get(uri);
    if (resource === undefined) return undefined;
    if (fragment === "") return { schema: resource.root, resource };
    if (fragment.startsWith("/")) return this.#follow(fragment, resource);
    const schema = resource.anchors.get(fragment) ?? resource.dynamicAnchors.get(fragment);
    return schema === undefined ? undefined : { schema, resource };
  }

  /** Follows a JSON pointer. */
  #follow(pointer: string, from: Resource): Place | undefined {
    let schema = from.root;
    let resource = from;
    for (const part of pointer.slice(1).split("/")) {
      const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof schema !== "object" || schema === null || !Object.hasOwn(schema, key))
        return undefined;
      schema = (schema as Record<string, unknown>)[key];
      resource = this.#resourceOf.get(schema) ?? resource;
    }
    return { schema, resource };
  }

  #id(schema: unknown): number {
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    return id;
  }
}

const SCHEMAS = new Set([
  ...["items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"],
  ...["propertyNames", "not", "if", "then", "else", "allOf", "anyOf", "oneOf", "prefixItems"],
]);
const MAPS = new Set([
  ...["properties", "patternProperties", "dependentSchemas", "dependencies"],
  ...["$defs", "definitions"],
]);
/** The resolver writes its own definitions, so a copy needs no names and no definitions of the original schema. */
const DROPPED = new Set([
  "$id",
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$defs",
  "definitions",
]);

function* subschemas(schema: Node): Generator<readonly [string, unknown]> {
  for (const [keyword, value] of Object.entries(schema))
    if (MAPS.has(keyword) && isNode(value)) yield* Object.entries(value);
    else if (SCHEMAS.has(keyword))
      for (const each of Array.isArray(value) ? value : [value]) yield [keyword, each];
}

function mapSubschemas(schema: Node, map: (child: unknown) => unknown): Record<string, unknown> {
  const entries = Object.entries(schema).filter(([keyword]) => !DROPPED.has(keyword));
  const mapped = entries.map(([keyword, value]) => {
    if (MAPS.has(keyword) && isNode(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([k, v]) => [k, map(v)]))];
    if (!SCHEMAS.has(keyword)) return [keyword, value];
    return [keyword, Array.isArray(value) ? value.map(map) : map(value)];
  });
  return Object.fromEntries(mapped);
}

function resolveUri(reference: string, base: string) {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return { uri: url.href, fragment };
  } catch {
    // An invalid reference is not found.
    return undefined;
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function tooLarge(): PromptError {
  return new PromptError(
    "SCHEMA_UNSUPPORTED",
    "jsonSchema()",
    `its references need more than ${MAX_COPIES} copies of its parts`,
  );
}
