import type { AnySliceToken, Session } from "@wink/session";
import type { ToolPolicy } from "../protocol/policy.js";
import type { Tool } from "../protocol/tool.js";
import type { Schema } from "../schema/schema.js";
import { checkSectionOptions, sectionTemplate } from "./check-section.js";
import type { SectionTemplate } from "./section-template.js";

/** `full` shows the whole section. `summary` shows its summary and lets the model open it. */
export type Visibility = "full" | "summary";

/** A value, or a pure and fast function of the section's parameters and the session. */
export type Setting<Params, Value> = Value | ((params: Params, session: Session) => Value);

/**
 * Options of every section. `Takes` is the type of the parameters for `bind`, and `Values` the type that the section's
 * functions get.
 */
export interface SectionOptions<
  Key extends string = string,
  Takes = unknown,
  Values = never,
  Children extends readonly AnySection[] = readonly AnySection[],
> {
  /** Unique among its siblings: lower-case letters, digits, `-` and `_`. */
  readonly key: Key;
  readonly title: string;
  /**
   * The schema of the parameters. `bind` takes them under the section's key. @default no parameters
   */
  readonly params?: [unknown] extends [Takes]
    ? Schema | undefined
    : [Takes] extends [undefined]
      ? undefined
      : Schema<{ readonly [Name in keyof Takes]?: Takes[Name] | undefined }, Values>;
  /** Values for parameters that need not be bound. @default none */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** @default none */
  readonly tools?: readonly Tool[];
  /** @default none */
  readonly children?: Children;
  /** A disabled section is left out, with its children and tools. @default true */
  readonly enabled?: Setting<Values, boolean>;
  /** @default "full" */
  readonly visibility?: Setting<Values, Visibility>;
  /**
   * The text that is shown while the section is not open. It may have placeholders. @default none
   */
  readonly summary?: string;
  /** Policies for the tools of the section and its children. @default none */
  readonly policies?: readonly ToolPolicy[];
  /**
   * Slices that its tools use. They are installed in the session when the prompt is rendered.
   * @default none
   */
  readonly slices?: readonly AnySliceToken[];
  /** Whether overrides may replace its text and its tools' descriptions. @default true */
  readonly acceptsOverrides?: boolean;
  /** Prefix for the names of the section's tools, without those of its children. @default none */
  readonly toolPrefix?: string;
}

/** Any section, with any parameters. */
export type AnySection = Section<string, unknown, readonly unknown[]>;

/**
 * A part of a prompt: instructions, their tools, and what they need.
 *
 * `Takes` is the type of the parameters for `bind`, or `undefined` if the section has none. `Values`
 * is the type that `render` gets, if the schema changes it. The class has no private members, so
 * that a section from another copy of this package has a compatible type.
 */
export abstract class Section<
  Key extends string = string,
  Takes = unknown,
  Children extends readonly unknown[] = readonly unknown[],
  Values = [Takes] extends [undefined] ? Readonly<Record<string, never>> : Takes,
> {
  readonly key: Key;
  readonly title: string;
  readonly params: Schema | undefined;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly tools: readonly Tool[];
  // NoInfer: a section in a list keeps the type of its own children, not the type that the list
  // allows.
  readonly children: NoInfer<Children>;
  readonly enabled: Setting<never, boolean>;
  readonly visibility: Setting<never, Visibility>;
  readonly summary: SectionTemplate | undefined;
  readonly policies: readonly ToolPolicy[];
  readonly slices: readonly AnySliceToken[];
  readonly acceptsOverrides: boolean;
  readonly toolPrefix: string;
  /** For the compiler only: the parameters for `bind`. */
  declare readonly "~takes"?: { readonly input: Takes };

  constructor(given: SectionOptions<Key, Takes, Values>) {
    // The compiler cannot resolve the conditional type of `params` before `Takes` is known.
    const options = given as unknown as SectionOptions<Key>;
    checkSectionOptions(options);
    this.key = options.key;
    this.title = options.title;
    this.params = options.params;
    this.defaults = Object.freeze({ ...options.defaults });
    this.tools = Object.freeze([...(options.tools ?? [])]);
    // A subclass declares the type of its children. Without children, the list is empty.
    this.children = Object.freeze([
      ...(options.children ?? []),
    ]) as readonly unknown[] as NoInfer<Children>;
    this.enabled = options.enabled ?? true;
    this.visibility = options.visibility ?? "full";
    this.summary =
      options.summary === undefined
        ? undefined
        : sectionTemplate(options.summary, options, "summary");
    this.policies = Object.freeze([...(options.policies ?? [])]);
    this.slices = Object.freeze([...(options.slices ?? [])]);
    this.acceptsOverrides = options.acceptsOverrides ?? true;
    this.toolPrefix = options.toolPrefix ?? "";
  }

  /** The text that an override replaces. The section's hash is made from it. */
  get source(): string {
    return "";
  }

  /** The parameters used in its text. */
  get placeholders(): readonly string[] {
    return [];
  }

  /**
   * Returns the text below the heading. Must be pure: the same parameters and state give the same
   * text.
   */
  abstract render(params: Values, session: Session): string;

  /** Called before the first prompt uses the section. */
  open(): Promise<void> | void {}

  /** Called when the last prompt that uses the section is closed. */
  close(): Promise<void> | void {}

  /**
   * Returns the section for a subagent's prompt. By default it is this section, shared: it is
   * closed with the last prompt that uses it. A workspace may return a fork of itself.
   */
  clone(): AnySection {
    return this;
  }
}
