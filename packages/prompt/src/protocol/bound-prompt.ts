import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import type { ResourceScope } from "../resource/resource-scope.js";
import type { RenderedPrompt } from "./rendered-prompt.js";

export interface RenderOptions {
  /** What the sections' functions look at. @default a session in which nothing has happened */
  readonly session?: Session;
}

/** A prompt that is ready to run, as adapters and handlers see it. */
export interface BoundPrompt<Output = unknown> extends AsyncDisposable {
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  /** For the compiler only: whether every parameter is bound. */
  readonly "~ready"?: true;
  readonly resources: ResourceScope;
  /** What the model sees now. Rendered again for each turn, since the session may have changed. */
  render(options?: RenderOptions): RenderedPrompt<Output>;
  /** The filesystem of the first enabled workspace section, depth-first. */
  filesystem(options?: RenderOptions): Filesystem | undefined;
  /** Opens every section, in order. A prompt that is open already stays so. */
  open(): Promise<void>;
  /** Opens this prompt, and one for a subagent with each section shared or forked as the section decides. */
  clone(): Promise<BoundPrompt<Output>>;
  /** Closes the resources, the last one made first, then every section in order, even when one of them fails. */
  close(): Promise<void>;
}
