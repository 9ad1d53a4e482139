import type { AnySliceToken, Session } from "@wink/session";
import type { ToolPolicy } from "../protocol/policy.js";
import type { Tool } from "../protocol/tool.js";
import type { Schema } from "../schema/schema.js";
import { checkSectionOptions } from "./check-section.js";
import type { SectionTemplate } from "./section-template.js";

/** `full` shows all of a section; `summary` shows its summary and lets the model open it. */
export type Visibility = "full" | "summary";

/** A setting, or a function of the section's parameters and the session that gives it. Pure and quick. */
export type Setting<Params, Value> = Value | ((params: Params, session: Session) => Value);

/** What every section can have. */
export interface SectionOptions<
  Key extends string = string,
  Params extends Schema | undefined = Schema | undefined,
  Values = never,
  Defaults = unknown,
  Children extends readonly AnySection[] = readonly AnySection[],
> {
  /** Unique among its siblings: lower-case letters, digits, `-` and `_`. */
  readonly key: Key;
  readonly title: string;
  /** Checks the parameters, which `bind` asks for by the section's key. @default it has none */
  readonly params?: Params;
  /** Parameters that need not be bound. @default none */
  readonly defaults?: Defaults;
  /** @default none */
  readonly tools?: readonly Tool[];
  /** @default none */
  readonly children?: Children;
  /** A disabled section is not there, nor are its children and tools. @default true */
  readonly enabled?: Setting<Values, boolean>;
  /** @default "full" */
  readonly visibility?: Setting<Values, Visibility>;
  /** What stands for the section while it is not open. It may have placeholders. @default none */
  readonly summary?: string;
  /** Rules for the calls of its tools and of its children's. @default none */
  readonly policies?: readonly ToolPolicy[];
  /** State that its tools keep; installed in the session when the prompt is rendered. @default none */
  readonly slices?: readonly AnySliceToken[];
  /** Whether its text and its tools' descriptions may be replaced. @default true */
  readonly acceptsOverrides?: boolean;
  /** Put before the names of its own tools. @default none */
  readonly toolPrefix?: string;
}

/** Any section, whatever it takes. */
export type AnySection = Section<string, unknown, readonly unknown[]>;

/**
 * A part of a prompt: instructions, the tools that go with them, and what they need.
 *
 * `Takes` is what `bind` asks for, or `undefined` for a section without
 * parameters. Nothing in it is private, so that a section made with another copy
 * of this package is one here too.
 */
export abstract class Section<
  Key extends string = string,
  Takes = unknown,
  Children extends readonly unknown[] = readonly unknown[],
> {
  readonly key: Key;
  readonly title: string;
  readonly params: Schema | undefined;
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly tools: readonly Tool[];
  // NoInfer: a section in a list of sections has the children it is given, not those the list would allow.
  readonly children: NoInfer<Children>;
  readonly enabled: Setting<never, boolean>;
  readonly visibility: Setting<never, Visibility>;
  readonly summary: SectionTemplate | undefined;
  readonly policies: readonly ToolPolicy[];
  readonly slices: readonly AnySliceToken[];
  readonly acceptsOverrides: boolean;
  readonly toolPrefix: string;
  /** For the compiler only: what `bind` asks for. */
  declare readonly "~takes"?: { readonly input: Takes };

  constructor(options: SectionOptions<Key>) {
    const { summary, defaults } = checkSectionOptions(options);
    this.key = options.key;
    this.title = options.title;
    this.params = options.params;
    this.defaults = defaults;
    this.tools = Object.freeze([...(options.tools ?? [])]);
    // A subclass names the type of what it passes on here; without children it is empty.
    this.children = Object.freeze([
      ...(options.children ?? []),
    ]) as readonly unknown[] as NoInfer<Children>;
    this.enabled = options.enabled ?? true;
    this.visibility = options.visibility ?? "full";
    this.summary = summary;
    this.policies = Object.freeze([...(options.policies ?? [])]);
    this.slices = Object.freeze([...(options.slices ?? [])]);
    this.acceptsOverrides = options.acceptsOverrides ?? true;
    this.toolPrefix = options.toolPrefix ?? "";
  }

  /** The text that an override replaces and that the section's hash is of. */
  get source(): string {
    return "";
  }

  /** The parameters that stand in its text. */
  get placeholders(): readonly string[] {
    return [];
  }

  /** The text below the heading. Pure: the same parameters and state give the same text. */
  abstract render(params: Readonly<Record<string, unknown>>, session: Session): string;

  /** Called before the first prompt that opens it uses it. */
  open(): Promise<void> | void {}

  /** Called when the last prompt that has it open is closed. */
  close(): Promise<void> | void {}

  /**
   * The section that a subagent's prompt gets. By default the same one, shared:
   * it is closed when the last prompt that uses it is. A workspace may answer with
   * a fork of itself.
   */
  clone(): AnySection {
    return this;
  }
}
