type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Removes fields that are `undefined`, because a provider's client treats them as set. */
export function omitUndefined<T extends object>(fields: T): Defined<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // `Defined` makes exactly these fields optional.
  return Object.fromEntries(entries) as Defined<T>;
}
