/** A section with parameters: its path and their type. */
interface Entry<Path extends string = string, Input = unknown> {
  readonly path: Path;
  readonly input: Input;
}

interface SectionShape {
  readonly key: string;
  readonly "~takes"?: { readonly input: unknown };
  readonly children: readonly unknown[];
}

type EntriesOf<Candidate, Prefix extends string> = Candidate extends SectionShape
  ? string extends Candidate["key"]
    ? // If only the type AnySection is known, the compiler cannot check the keys; bind checks them at run time.
      Entry<string, Readonly<Record<string, unknown>>>
    :
        | OwnEntry<Candidate, `${Prefix}${Candidate["key"]}`>
        | EntriesOf<Candidate["children"][number], `${Prefix}${Candidate["key"]}/`>
  : never;

type OwnEntry<Candidate extends SectionShape, Path extends string> = Candidate extends {
  readonly "~takes"?: { readonly input: infer Input };
}
  ? [Input] extends [undefined]
    ? never
    : Entry<Path, Input>
  : never;

/** The path, if the section has parameters that must be bound. */
type RequiredPath<Each extends Entry> = string extends Each["path"]
  ? never
  : Record<never, never> extends Each["input"]
    ? never
    : Each["path"];

type OptionalPath<Each extends Entry> = string extends Each["path"]
  ? string
  : Record<never, never> extends Each["input"]
    ? Each["path"]
    : never;

type Shape<Each extends Entry> = {
  readonly [One in Each as RequiredPath<One>]: One["input"];
} & {
  readonly [One in Each as OptionalPath<One>]?: One["input"];
};

type Flat<Object> = { [Name in keyof Object]: Object[Name] };

/**
 * The argument of `bind`: the parameters of each section, by the section's key, or by its path if
 * it is nested.
 */
export type Bindings<Sections extends readonly unknown[]> = [
  EntriesOf<Sections[number], "">,
] extends [never]
  ? Readonly<Record<string, never>>
  : Flat<Shape<EntriesOf<Sections[number], "">>>;

/** Whether the prompt has no parameters that must be bound. */
export type IsReady<Sections extends readonly unknown[]> =
  Record<never, never> extends Bindings<Sections> ? true : false;
