/**
 * Input fields that describe a call, most important first. These are the names that the tools use.
 */
const SUBJECTS = [
  "file_path",
  "from",
  "find",
  "source_path",
  "pattern",
  "path",
  "name",
  "objective",
  "step_id",
  "section_key",
  "command",
  "code",
] as const;

/** Describes a call with a value from its input: a path, a pattern, a command. */
export function describeCall(input: unknown): string {
  const fields = fieldsOf(input);
  const texts = [...SUBJECTS.map((name) => fields[name]), ...Object.values(fields)];
  const subject = texts.find((value) => typeof value === "string" && value !== "") ?? "";
  const target = ["to", "destination_path", "replace", "status"].find(
    (name) => typeof fields[name] === "string",
  );
  return target === undefined ? String(subject) : `${subject} → ${fields[target]}`;
}

/** The fields of a call's input, which may be JSON text from the model. */
export function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === "string") return fieldsOf(parseOrNothing(input));
  // The cast only allows the lookup by name.
  if (typeof input === "object" && input !== null) return input as Record<string, unknown>;
  return {};
}

function parseOrNothing(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? undefined : value;
  } catch {
    return undefined;
  }
}
