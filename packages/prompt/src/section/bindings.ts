/** `[path, parameters]` of each section that has parameters, as a union. */
export type SectionParams<Candidate, Prefix extends string = ""> = Candidate extends {
  readonly key: infer Key extends string;
  readonly "~takes"?: { readonly input: infer Input };
  readonly children: readonly (infer Child)[];
}
  ? string extends Key
    ? // If only the type AnySection is known, the compiler cannot check the keys; bind checks them at run time.
      [string, Readonly<Record<string, unknown>>]
    :
        | ([Input] extends [undefined] ? never : [`${Prefix}${Key}`, Input])
        | SectionParams<Child, `${Prefix}${Key}/`>
  : never;

/**
 * The argument of `bind`: the parameters of each section, by the section's key, or by its path if
 * it is nested.
 */
export type Bindings<Sections extends readonly unknown[]> = [
  SectionParams<Sections[number]>,
] extends [never]
  ? Readonly<Record<string, never>>
  : // Inferred and mapped again, so that messages of the compiler show the keys and not these types.
    {
        readonly [Each in SectionParams<Sections[number]> as string extends Each[0]
          ? never
          : Record<never, never> extends Each[1]
            ? never
            : Each[0]]: Each[1];
      } & {
        readonly [Each in SectionParams<Sections[number]> as string extends Each[0]
          ? string
          : Record<never, never> extends Each[1]
            ? Each[0]
            : never]?: Each[1];
      } extends infer Shape
    ? { [Path in keyof Shape]: Shape[Path] }
    : never;
