/** A change from one JSON value to the next: a new value, changed and removed keys, or a new length and changed items. */
export type JsonDelta =
  | readonly ["v", unknown]
  | readonly ["o", Readonly<Record<string, JsonDelta>>, readonly string[]]
  | readonly ["a", number, readonly (readonly [number, JsonDelta])[]];

type Fields = Readonly<Record<string, unknown>>;

/** The change between two values, or `undefined` if they are equal. Parts that both share are not compared. */
export function jsonDelta(before: unknown, after: unknown): JsonDelta | undefined {
  if (Object.is(before, after)) return undefined;
  if (Array.isArray(before) && Array.isArray(after)) return arrayDelta(before, after);
  if (isFields(before) && isFields(after)) return objectDelta(before, after);
  return ["v", after];
}

function arrayDelta(before: readonly unknown[], after: readonly unknown[]): JsonDelta | undefined {
  const items: (readonly [number, JsonDelta])[] = [];
  after.forEach((item, index) => {
    const delta = index < before.length ? jsonDelta(before[index], item) : (["v", item] as const);
    if (delta !== undefined) items.push([index, delta]);
  });
  return items.length === 0 && before.length === after.length
    ? undefined
    : ["a", after.length, items];
}

function objectDelta(before: Fields, after: Fields): JsonDelta | undefined {
  const changed: (readonly [string, JsonDelta])[] = [];
  for (const [key, value] of Object.entries(after)) {
    const delta = Object.hasOwn(before, key)
      ? jsonDelta(before[key], value)
      : (["v", value] as const);
    if (delta !== undefined) changed.push([key, delta]);
  }
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  if (changed.length === 0 && removed.length === 0) return undefined;
  // `fromEntries` also keeps a key that is named `__proto__`.
  return ["o", Object.fromEntries(changed), removed];
}

/** The value after a change. The value before it stays as it is. */
export function applyDelta(before: unknown, delta: JsonDelta): unknown {
  if (delta[0] === "v") return delta[1];
  if (delta[0] === "a") {
    const items = (Array.isArray(before) ? before : []).slice(0, delta[1]);
    for (const [index, change] of delta[2]) items[index] = applyDelta(items[index], change);
    return items;
  }
  const fields = isFields(before) ? before : {};
  const [, changed, removed] = delta;
  const gone = new Set(removed);
  const kept = Object.entries(fields).filter(
    ([key]) => !gone.has(key) && !Object.hasOwn(changed, key),
  );
  const added = Object.entries(changed).map(([key, change]) => {
    const old = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return [key, applyDelta(old, change)] as const;
  });
  return Object.fromEntries([...kept, ...added]);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
