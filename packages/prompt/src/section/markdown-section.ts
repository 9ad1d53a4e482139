import type { InputOf, OutputOf, Schema } from "../schema/schema.js";
import { sectionTemplate } from "./check-section.js";
import { type AnySection, Section, type SectionOptions } from "./section.js";
import type { SectionTemplate } from "./section-template.js";

/** What `bind` asks for: the parameters, those with defaults at will. */
export type Takes<Params extends Schema | undefined, Defaults> = [Params] extends [Schema]
  ? WithDefaults<InputOf<Params>, Defaults>
  : undefined;

type WithDefaults<Input, Defaults> = Flat<
  Omit<Input, keyof Defaults> & Partial<Pick<Input, keyof Input & keyof Defaults>>
>;

type Flat<Shape> = { [Name in keyof Shape]: Shape[Name] };

/** What functions of a section get as its parameters. */
export type ParamsOf<Params extends Schema | undefined> = [Params] extends [Schema]
  ? OutputOf<Params>
  : Readonly<Record<string, never>>;

export interface MarkdownSectionOptions<
  Key extends string,
  Params extends Schema | undefined,
  Defaults,
  Children extends readonly AnySection[],
> extends SectionOptions<Key, Params, ParamsOf<Params>, Defaults, Children> {
  /** Markdown. `${name}` is a parameter, inserted as it is; `$$` is a dollar. */
  readonly template: string;
  readonly defaults?: Defaults & Partial<[Params] extends [Schema] ? InputOf<Params> : object>;
}

/** A section whose text is Markdown with placeholders. */
export class MarkdownSection<
  const Key extends string = string,
  Params extends Schema | undefined = undefined,
  Defaults = unknown,
  const Children extends readonly AnySection[] = readonly [],
> extends Section<Key, Takes<Params, Defaults>, Children> {
  readonly template: SectionTemplate;

  constructor(options: MarkdownSectionOptions<Key, Params, Defaults, Children>) {
    // The base holds functions of parameters as functions of anything: bind checks what they get.
    super(options as unknown as SectionOptions<Key>);
    this.template = sectionTemplate(options.template, options, "template");
  }

  override get source(): string {
    return this.template.source;
  }

  override get placeholders(): readonly string[] {
    return this.template.names;
  }

  override render(params: Readonly<Record<string, unknown>>): string {
    return this.template.fill(params);
  }
}
