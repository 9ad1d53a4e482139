import type { Filesystem } from "@wink/filesystem";
import type { Session } from "@wink/session";
import type { ResourceScope } from "../resource/resource-scope.js";
import type { RenderedPrompt } from "./rendered-prompt.js";

export interface RenderOptions {
  /** The session that the functions of the sections read. @default an empty session */
  readonly session?: Session;
}

/** A prompt that is ready to run, as adapters and handlers see it. */
export interface BoundPrompt<Output = unknown> extends AsyncDisposable {
  readonly ns: string;
  readonly key: string;
  readonly name: string;
  /** For the compiler only: whether every parameter is bound. */
  readonly "~ready"?: true | undefined;
  readonly resources: ResourceScope;
  /**
   * Renders what the model sees now. Adapters render again for each turn, because the session may
   * have changed.
   */
  render(options?: RenderOptions): RenderedPrompt<Output>;
  /** The filesystem of the first enabled workspace section, depth-first. */
  filesystem(options?: RenderOptions): Filesystem | undefined;
  /** Opens every section, in order. Does nothing if the prompt is already open. */
  open(): Promise<void>;
  /**
   * Opens this prompt and creates one for a subagent. Each section decides whether it is shared or
   * forked.
   */
  clone(): Promise<BoundPrompt<Output>>;
  /**
   * Closes the resources in reverse order, then every section in order. It continues after errors.
   */
  close(): Promise<void>;
}
