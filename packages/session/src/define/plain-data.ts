import { SessionError } from "./session-error.js";

/** The maximum nesting of a value. `JSON.parse` and `JSON.stringify` fail at several thousand levels. */
export const MAX_DEPTH = 500;

/** The maximum number of objects, arrays and scalars in one value, counted as in its JSON. */
const MAX_NODES = 10_000_000;

const TOO_DEEP = `the value is nested deeper than ${MAX_DEPTH} levels`;
const CIRCULAR = "the value contains itself";

/**
 * Copies `value` to deeply frozen plain data. Throws `NOT_PLAIN_DATA`, with the path, for values that JSON cannot
 * represent.
 *
 * A value that this function returned is accepted again without a copy, so a new version of a big value costs only its
 * new parts.
 */
export function freezeData<T>(value: T, subject: string, root: string): T {
  const copier: Copier = { subject, root, keys: [], ancestors: [] };
  // The copy has the type of the original. Only class instances would differ, and they are rejected.
  return copy(value, copier) as T;
}

interface Copier {
  readonly subject: string;
  readonly root: string;
  /** The path from the root to the current value. */
  readonly keys: (string | number)[];
  readonly ancestors: object[];
}

/**
 * The property that marks a checked and frozen value. A WeakMap of all values would slow down every garbage collection.
 * `Symbol.for`, so that two copies of this package accept each other's values.
 */
const SIZE = Symbol.for("wink.session.size");

interface Size {
  /** The nesting of the value; 1 for an array of numbers. */
  readonly height: number;
  readonly nodes: number;
}

/** The size of a value that {@link freezeData} returned; `undefined` for any other value. */
function sizeOf(value: object): Size | undefined {
  // Only `seal` sets this property.
  return Object.hasOwn(value, SIZE) ? (value as { readonly [SIZE]: Size })[SIZE] : undefined;
}

function copy(value: unknown, copier: Copier): unknown {
  if (typeof value !== "object" || value === null) {
    const problem = scalarProblem(value);
    if (problem) throw refusal(copier, problem);
    return value;
  }
  const depth = copier.ancestors.length;
  const height = sizeOf(value)?.height;
  if (height !== undefined && height + depth <= MAX_DEPTH) return value;
  if (depth >= MAX_DEPTH || height !== undefined)
    throw refusal(copier, copier.ancestors.includes(value) ? CIRCULAR : TOO_DEEP);
  copier.ancestors.push(value);
  const copied = Array.isArray(value) ? copyArray(value, copier) : copyObject(value, copier);
  copier.ancestors.pop();
  return copied;
}

function copyArray(value: readonly unknown[], copier: Copier): readonly unknown[] {
  const extras = Reflect.ownKeys(value).length - 1 !== value.length;
  if (extras) throw refusal(copier, "an array with holes or extra properties is not plain data");
  const target: unknown[] = [];
  for (let index = 0; index < value.length; index++) {
    copier.keys.push(index);
    target.push(copy(value[index], copier));
    copier.keys.pop();
  }
  return seal(target, target, copier);
}

function copyObject(value: object, copier: Copier): object {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw refusal(
      copier,
      `${describeInstance(value)} is not plain data. Store text, numbers, booleans, null, arrays or plain objects`,
    );
  const keys = Object.keys(value);
  if (Reflect.ownKeys(value).length !== keys.length)
    throw refusal(copier, "JSON would omit a property (a symbol or not enumerable)");
  // Every object can be read by any key. `copy` checks the values.
  const source = value as Readonly<Record<string, unknown>>;
  const target: Record<string, unknown> = {};
  for (const key of keys) {
    copier.keys.push(key);
    // An assignment to `__proto__` would change the prototype instead of adding a property.
    if (key === "__proto__") throw refusal(copier, "the key '__proto__' is not allowed");
    target[key] = copy(source[key], copier);
    copier.keys.pop();
  }
  return seal(target, Object.values(target), copier);
}

function seal<Target extends object>(
  target: Target,
  children: readonly unknown[],
  copier: Copier,
): Target {
  let height = 0;
  let nodes = 1;
  for (const child of children) {
    if (typeof child !== "object" || child === null) {
      nodes++;
      continue;
    }
    const size = sizeOf(child);
    height = Math.max(height, size?.height ?? 0);
    nodes += size?.nodes ?? 1;
  }
  if (nodes > MAX_NODES) throw refusal(copier, `the value has more than ${MAX_NODES} parts`);
  Object.defineProperty(target, SIZE, { value: { height: height + 1, nodes } });
  return Object.freeze(target);
}

function scalarProblem(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return undefined;
    case "number":
      if (Number.isFinite(value) && !Object.is(value, -0)) return undefined;
      return `${Object.is(value, -0) ? "-0" : String(value)} does not survive JSON`;
    case "object":
      return value === null ? undefined : "an object";
    case "undefined":
      return "undefined does not survive JSON; leave the property out, or use null";
    default:
      return `a ${typeof value} is not plain data`;
  }
}

function describeInstance(value: object): string {
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  return tag === "Object" ? "an instance of a class" : `a ${tag}`;
}

function refusal({ subject, root, keys }: Copier, reason: string): SessionError {
  return new SessionError("NOT_PLAIN_DATA", subject, reason, { path: formatPath(root, keys) });
}

/** Formats a path such as `payload.steps[3]["odd key"]`. Shortens long ones. */
export function formatPath(root: string, keys: readonly PropertyKey[]): string {
  const shown = keys.slice(0, 20).map(formatKey).join("");
  return keys.length > 20 ? `${root}${shown}…` : `${root}${shown}`;
}

function formatKey(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  if (/^[A-Za-z_$][\w$]*$/.test(name) && name.length <= 80) return `.${name}`;
  return `[${JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name)}]`;
}
