import { PromptError } from "../error/prompt-error.js";
import type { Tool, ToolDefinition, ToolExample, ValueOf } from "../protocol/tool.js";
import {
  checkNow,
  describeIssues,
  type ModelSchema,
  type OutputOf,
  type Schema,
} from "../schema/schema.js";
import { modelInputSchema, modelOutputSchema } from "../schema/to-json-schema.js";

/** The function names that all providers accept. */
export const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/**
 * Defines a tool that a model can call.
 *
 * It throws for an invalid name, a schema without a JSON form, and an example that does not match.
 */
export function defineTool<
  const Name extends string,
  Input extends ModelSchema,
  Value,
  Output extends ModelSchema | undefined = undefined,
>(
  definition: ToolDefinition<Name, Input, Output, Value>,
): Tool<Name, OutputOf<Input>, ValueOf<Output, Value>> {
  const { name, description, access, examples = [], timeoutMs, files } = definition;
  checkDeclaration(definition);
  const subject = `tool '${name}'`;
  const inputSchema = modelInputSchema(definition.input, `the input of ${subject}`);
  const { output } = definition;
  const outputSchema = output && modelOutputSchema(output, `the output of ${subject}`);
  for (const [index, example] of examples.entries())
    checkExample(example, definition, `example ${index + 1} of ${subject}`);

  const tool = {
    name,
    description,
    input: definition.input,
    inputSchema,
    output,
    outputSchema,
    access,
    examples: Object.freeze([...examples]),
    timeoutMs,
    files,
    // Bound to the definition, so that a handler may use `this` like any method.
    handler: definition.handler.bind(definition),
    ...(definition.render && { render: definition.render.bind(definition) }),
  };
  // ValueOf is the output type of both schemas, but the compiler cannot resolve the conditional
  // type.
  return Object.freeze(tool) as unknown as Tool<Name, OutputOf<Input>, ValueOf<Output, Value>>;
}

const ACCESS: readonly unknown[] = ["read", "session", "write", "opaque"];

interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly access: string;
  readonly timeoutMs?: number;
  readonly input: Schema;
  readonly output?: Schema | undefined;
  readonly handler: unknown;
}

function checkDeclaration(declaration: Declaration): void {
  const reason = problemOf(declaration);
  if (reason !== undefined)
    throw new PromptError("tool_invalid", { subject: `tool '${declaration.name}'`, reason });
}

function problemOf({ name, description, access, timeoutMs, handler, input }: Declaration) {
  if (typeof name !== "string" || !TOOL_NAME.test(name))
    return "a name has 1 to 64 letters, digits, _ and -, and starts with a letter";
  if (typeof description !== "string" || description.trim() === "")
    return "it needs a description for the model";
  if (!ACCESS.includes(access)) return "access is 'read', 'session', 'write' or 'opaque'";
  if (timeoutMs !== undefined && !(timeoutMs > 0)) return "timeoutMs is a number above 0";
  if (typeof handler !== "function") return "it needs a handler";
  if (typeof input?.["~standard"]?.validate !== "function") return "input is not a Standard Schema";
  return undefined;
}

function checkExample(example: ToolExample, declaration: Declaration, subject: string): void {
  for (const side of ["input", "output"] as const) {
    const schema = declaration[side];
    if (schema === undefined || (side === "output" && example.output === undefined)) continue;
    const checked = checkNow(schema, example[side]);
    if (checked?.issues)
      throw new PromptError("example_invalid", {
        subject,
        reason: `its ${side} is invalid: ${describeIssues(checked.issues)}`,
      });
  }
}
