/** The decoded content of one file. */
export interface GrepText {
  readonly path: string;
  readonly text: string;
}
