/** A change between two JSON values. */
export interface JsonChange {
  /** The keys from the root, such as `["steps", 0, "status"]`. */
  readonly path: readonly (string | number)[];
  readonly type: "added" | "removed" | "changed";
  readonly before: unknown;
  readonly after: unknown;
}

/** The differences of two JSON values, leaf by leaf. At most `limit`. */
export function diffJson(before: unknown, after: unknown, limit = 1_000): readonly JsonChange[] {
  const changes: JsonChange[] = [];
  const compare = (a: unknown, b: unknown, path: readonly (string | number)[]): void => {
    if (changes.length >= limit || Object.is(a, b)) return;
    if (isContainer(a) && isContainer(b) && Array.isArray(a) === Array.isArray(b)) {
      for (const key of keysOf(a, b)) {
        const [left, right] = [valueAt(a, key), valueAt(b, key)];
        if (left === undefined && right !== undefined)
          changes.push({ path: [...path, key], type: "added", before: undefined, after: right });
        else if (right === undefined && left !== undefined)
          changes.push({ path: [...path, key], type: "removed", before: left, after: undefined });
        else compare(left, right, [...path, key]);
        if (changes.length >= limit) return;
      }
      return;
    }
    changes.push({ path, type: "changed", before: a, after: b });
  };
  compare(before, after, []);
  return changes;
}

type Container = readonly unknown[] | Readonly<Record<string, unknown>>;

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function valueAt(container: Container, key: string | number): unknown {
  if (Array.isArray(container)) return container[Number(key)];
  return Object.hasOwn(container, key)
    ? (container as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

function keysOf(a: Container, b: Container): readonly (string | number)[] {
  if (Array.isArray(a) && Array.isArray(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index);
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}
