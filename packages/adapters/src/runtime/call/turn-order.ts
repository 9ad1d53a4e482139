import type { RenderedTool } from "@wink/prompt";
import { firstAccess } from "./call-access.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";

/** The position of a call among the calls of its turn. */
export interface CallOrder {
  /** Whether an earlier call of the turn waits for something outside. */
  isHeldBack(): boolean;
  /**
   * Whether the handler may not even start. Calls that act outside may not start. A call that forks the files may start
   * next to other calls that fork them, because all of them begin with the same files.
   */
  mayNotStart(): boolean;
  /** This call waits, or is held back. */
  park(): void;
}

/** A call of the loop, which has a position in its turn. */
export type OrderedToolCall = RunToolCallOptions & { readonly order?: CallOrder | undefined };

/**
 * The calls of a turn, when some of them wait for something outside.
 *
 * A call after one that waits is made again with it. Otherwise it would be committed before the earlier one, but only
 * if its process was not killed in between.
 */
export class TurnOrder {
  readonly #tools: readonly (RenderedTool | undefined)[];
  #firstParked = Number.POSITIVE_INFINITY;

  /** @param tools the tools of the turn's calls */
  constructor(tools: readonly (RenderedTool | undefined)[]) {
    this.#tools = tools;
  }

  get isParked(): boolean {
    return Number.isFinite(this.#firstParked);
  }

  at(position: number): CallOrder {
    const isHeldBack = () => position > this.#firstParked;
    return {
      isHeldBack,
      mayNotStart: () => {
        const tool = this.#tools[position];
        if (!isHeldBack() || tool === undefined) return false;
        if (tool.effects === "external") return true;
        return (
          forksFirst(tool) && !this.#tools.slice(this.#firstParked, position).every(forksFirst)
        );
      },
      park: () => {
        this.#firstParked = Math.min(this.#firstParked, position);
      },
    };
  }
}

function forksFirst(tool: RenderedTool | undefined): boolean {
  return tool !== undefined && firstAccess(tool) !== tool.access;
}
