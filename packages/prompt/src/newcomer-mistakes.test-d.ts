// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are written so.
import { expectTypeOf } from "vitest";
import { z } from "zod";
import {
  Budget,
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type ProviderAdapter,
  Section,
} from "./index.js";

declare const adapter: ProviderAdapter;
declare const session: Parameters<ProviderAdapter["evaluate"]>[1]["session"];

const task = new MarkdownSection({
  key: "task",
  title: "Task",
  params: z.object({ file: z.string(), times: z.number() }),
  defaults: { times: 1 },
  template: "Read ${file} ${times} times.",
});
const prompt = new Prompt(new PromptTemplate({ ns: "examples", key: "a", sections: [task] }));

// A wrong key in bind: the compiler shows the keys themselves, not the types that compute them.
expectTypeOf<Parameters<typeof prompt.bind>[0]>().toEqualTypeOf<{
  readonly task: { file: string; times?: number };
}>();
// @ts-expect-error unknown section
prompt.bind({ tsak: { file: "a.ts" } });
// @ts-expect-error missing parameter
prompt.bind({ task: {} });
// @ts-expect-error the parameter has another type
prompt.bind({ task: { file: 3 } });

// A forgotten bind: the compiler shows this sentence.
expectTypeOf(prompt["~ready"]).toEqualTypeOf<
  "Call bind() with the parameters of the sections first." | undefined
>();
// @ts-expect-error not bound
adapter.evaluate(prompt, { session });
adapter.evaluate(prompt.bind({ task: { file: "a.ts" } }), { session });
// @ts-expect-error a template is not a prompt
adapter.evaluate(prompt.template, { session });
// @ts-expect-error a text is not a prompt
adapter.evaluate("Be nice.", { session });
// @ts-expect-error no session
adapter.evaluate(prompt.bind({ task: { file: "a.ts" } }), {});

// @ts-expect-error unknown limit
new Budget({ maxTokens: 1000 });
// @ts-expect-error misspelt option
new PromptTemplate({ ns: "examples", key: "a", sections: [], polices: [] });
// @ts-expect-error a promise is not a section
new PromptTemplate({ ns: "examples", key: "a", sections: [Promise.resolve(task)] });

const tool = { name: "t", description: "Does it.", input: z.object({}), access: "read" } as const;
// @ts-expect-error a handler returns ok() or fail()
defineTool({ ...tool, handler: () => ({ count: 3 }) });
// @ts-expect-error a handler returns ok() or fail()
defineTool({ ...tool, handler: async () => "done" });
// @ts-expect-error unknown access
defineTool({ ...tool, access: "readonly", handler: () => ok(1, "Done.") });

// A section of one's own gets the parameters that it declares.
class Paint extends Section<"paint", { readonly colour: string }> {
  constructor() {
    super({ key: "paint", title: "Paint", params: z.object({ colour: z.string() }) });
  }

  override render({ colour }: { readonly colour: string }): string {
    return `Use ${colour}.`;
  }
}
const paint = new Prompt(new PromptTemplate({ ns: "a", key: "b", sections: [new Paint()] }));
paint.bind({ paint: { colour: "red" } }).render({ session });
// @ts-expect-error another parameter
paint.bind({ paint: { size: 3 } });

export abstract class WrongParams extends Section<"s", { readonly colour: string }> {
  constructor() {
    // @ts-expect-error the schema has another field
    super({ key: "s", title: "S", params: z.object({ size: z.number() }) });
  }
}

export abstract class WrongType extends Section<"s", { readonly colour: string }> {
  constructor() {
    // @ts-expect-error the field has another type
    super({ key: "s", title: "S", params: z.object({ colour: z.number() }) });
  }
}

export abstract class NoParams extends Section<"s", undefined> {
  constructor() {
    // @ts-expect-error the section declares no parameters
    super({ key: "s", title: "S", params: z.object({ colour: z.string() }) });
  }
}

// A schema with defaults: bind may leave the parameter out, and render gets it.
export class Sized extends Section<
  "sized",
  { readonly size?: number },
  readonly [],
  { readonly size: number }
> {
  constructor() {
    super({ key: "sized", title: "S", params: z.object({ size: z.number().default(1) }) });
  }

  override render({ size }: { readonly size: number }): string {
    return `Size ${size}.`;
  }
}

export class WrongRender extends Section<"s", { readonly colour: string }> {
  // @ts-expect-error the parameters have no such field
  override render({ size }: { readonly size: number }): string {
    return `Size ${size}.`;
  }
}
