type Fields = Readonly<Record<string, unknown>>;

/** Lists to which the caller's entries are added, because our own tools, includes and instructions must stay. */
const ADDED: readonly string[] = ["tools", "include", "system"];

/** The schema of the answer, which the run depends on. */
const KEPT: readonly string[] = ["format", "response_format", "responseFormat"];

/**
 * Adds the caller's fields to a request body. Objects are merged at every depth. The caller's value wins, except for the
 * tools, to which the caller's are added, and the schema of the answer.
 */
export function mergeBody<Body extends object>(body: Body, extra: Fields | undefined): Body {
  // The caller may change every other field, also against the type.
  return extra === undefined ? body : (merge(body as Fields, extra) as Body);
}

function merge(own: Fields, extra: Fields): Fields {
  const merged: Record<string, unknown> = { ...own };
  for (const [name, value] of Object.entries(extra)) {
    const before = own[name];
    if (before === undefined) merged[name] = value;
    else if (ADDED.includes(name) && Array.isArray(before) && Array.isArray(value))
      merged[name] = [...before, ...value];
    else if (KEPT.includes(name)) continue;
    else merged[name] = isFields(before) && isFields(value) ? merge(before, value) : value;
  }
  return merged;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
