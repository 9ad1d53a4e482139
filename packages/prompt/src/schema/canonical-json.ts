/** JSON with sorted keys, so that equal data gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== "object" || member === null || Array.isArray(member)) return member;
    return Object.fromEntries(
      Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}
