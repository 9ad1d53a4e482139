/** One section that takes parameters: where it is, and what it takes. */
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
    ? // A section known only as such: the compiler can say nothing, so bind does at run time.
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

/** The path, when something of the section must be bound. */
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
 * What a prompt must be bound to: the parameters of each section that takes some,
 * by the section's key, or its path when it is nested.
 */
export type Bindings<Sections extends readonly unknown[]> = [
  EntriesOf<Sections[number], "">,
] extends [never]
  ? Readonly<Record<string, never>>
  : Flat<Shape<EntriesOf<Sections[number], "">>>;

/** Whether nothing needs to be bound. */
export type IsReady<Sections extends readonly unknown[]> =
  Record<never, never> extends Bindings<Sections> ? true : false;
