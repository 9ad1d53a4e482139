import { PromptError } from "../error/prompt-error.js";

/** How long a resource lives: as long as the prompt is open, or for one call of a tool. */
export type ResourceScopeName = "prompt" | "tool-call";

/** Hands out resources, each made when it is first asked for. */
export interface ResourceReader {
  get<Value>(resource: Resource<Value>): Promise<Value>;
}

/** Stands for something that is made when it is needed and closed afterwards. */
export interface Resource<Value = unknown> {
  readonly name: string;
  readonly scope: ResourceScopeName;
  /** Makes it. It may ask for others, which are then closed after it. */
  create(others: ResourceReader): Promise<Value> | Value;
  close(value: Value): Promise<void> | void;
}

export interface ResourceDefinition<Value> {
  readonly name: string;
  /** @default "prompt" */
  readonly scope?: ResourceScopeName;
  create(others: ResourceReader): Promise<Value> | Value;
  /** @default what the value's own asyncDispose, dispose or close does, if it has one */
  close?(value: Value): Promise<void> | void;
}

/** Declares a resource; the token carries its type. */
export function defineResource<Value>(definition: ResourceDefinition<Value>): Resource<Value> {
  const { name, scope = "prompt" } = definition;
  if (typeof name !== "string" || name === "")
    throw new PromptError("template_invalid", {
      subject: "resource",
      reason: "a resource has a name",
    });
  return Object.freeze({
    name,
    scope,
    create: definition.create.bind(definition),
    close: definition.close?.bind(definition) ?? closeByItself,
  });
}

async function closeByItself(value: unknown): Promise<void> {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
  for (const name of [Symbol.asyncDispose, Symbol.dispose, "close"] as const) {
    // Looked up by name; whether there is such a member is what is being asked.
    const method = (value as Readonly<Record<string | symbol, unknown>>)[name];
    if (typeof method !== "function") continue;
    await method.call(value);
    return;
  }
}
