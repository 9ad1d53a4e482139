import { checkOptions } from "../error/check-options.js";
import type { InputOf, OutputOf, Schema } from "../schema/schema.js";
import { SECTION_OPTIONS, sectionTemplate } from "./check-section.js";
import { type AnySection, Section, type SectionOptions } from "./section.js";
import type { SectionTemplate } from "./section-template.js";

/** The argument of `bind`: the parameters; those with defaults are optional. */
export type Takes<Params extends Schema | undefined, Defaults> = [Params] extends [Schema]
  ? Omit<InputOf<Params>, keyof Defaults> &
      Partial<
        Pick<InputOf<Params>, keyof InputOf<Params> & keyof Defaults>
      > extends infer Parameters
    ? { [Name in keyof Parameters]: Parameters[Name] }
    : never
  : undefined;

/** The type of the parameters that a section's functions receive. */
export type ParamsOf<Params extends Schema | undefined> = [Params] extends [Schema]
  ? OutputOf<Params>
  : Readonly<Record<string, never>>;

export interface MarkdownSectionOptions<
  Key extends string,
  Params extends Schema | undefined,
  Defaults,
  Children extends readonly AnySection[],
> extends Omit<SectionOptions<Key, unknown, ParamsOf<Params>, Children>, "params" | "defaults"> {
  /** Markdown. `${name}` inserts a parameter unchanged; `$$` is a dollar sign. */
  readonly template: string;
  /**
   * The schema of the parameters. `bind` takes them under the section's key. @default no parameters
   */
  readonly params?: Params;
  /** Values for parameters that need not be bound. @default none */
  readonly defaults?: Defaults & Partial<[Params] extends [Schema] ? InputOf<Params> : object>;
}

/** A section whose text is Markdown with placeholders. */
export class MarkdownSection<
  const Key extends string = string,
  Params extends Schema | undefined = undefined,
  Defaults = unknown,
  const Children extends readonly AnySection[] = readonly [],
> extends Section<Key, Takes<Params, Defaults>, Children, ParamsOf<Params>> {
  readonly template: SectionTemplate;

  constructor(options: MarkdownSectionOptions<Key, Params, Defaults, Children>) {
    // The base class stores functions of specific parameters as functions of any; bind validates
    // their arguments.
    super(options as never);
    // A subclass may pass its own options on.
    if (new.target === MarkdownSection)
      checkOptions(`section '${this.key}'`, options, [...SECTION_OPTIONS, "template"]);
    this.template = sectionTemplate(options.template, options, "template");
  }

  override get source(): string {
    return this.template.source;
  }

  override get placeholders(): readonly string[] {
    return this.template.names;
  }

  override render(params: ParamsOf<Params>): string {
    // `bind` has checked that the parameters are an object with a value for each placeholder.
    return this.template.fill(params as Readonly<Record<string, unknown>>);
  }
}
