import type { InputOf, OutputOf, Schema } from "../schema/schema.js";
import { sectionTemplate } from "./check-section.js";
import { type AnySection, Section, type SectionOptions } from "./section.js";
import type { SectionTemplate } from "./section-template.js";

/** The argument of `bind`: the parameters; those with defaults are optional. */
export type Takes<Params extends Schema | undefined, Defaults> = [Params] extends [Schema]
  ? WithDefaults<InputOf<Params>, Defaults>
  : undefined;

type WithDefaults<Input, Defaults> = Flat<
  Omit<Input, keyof Defaults> & Partial<Pick<Input, keyof Input & keyof Defaults>>
>;

type Flat<Shape> = { [Name in keyof Shape]: Shape[Name] };

/** The type of the parameters that a section's functions receive. */
export type ParamsOf<Params extends Schema | undefined> = [Params] extends [Schema]
  ? OutputOf<Params>
  : Readonly<Record<string, never>>;

export interface MarkdownSectionOptions<
  Key extends string,
  Params extends Schema | undefined,
  Defaults,
  Children extends readonly AnySection[],
> extends SectionOptions<Key, Params, ParamsOf<Params>, Defaults, Children> {
  /** Markdown. `${name}` inserts a parameter unchanged; `$$` is a dollar sign. */
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
    // The base class stores functions of specific parameters as functions of any; bind validates
    // their arguments.
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
