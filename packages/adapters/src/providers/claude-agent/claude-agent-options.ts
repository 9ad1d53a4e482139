import type { ModelAdapterOptions } from "../../runtime/loop/model-adapter.js";

/** The part of `query` of the Claude Agent SDK that is used. */
export type ClaudeQuery = (params: {
  readonly prompt: AsyncIterable<unknown>;
  readonly options: Readonly<Record<string, unknown>>;
}) => AsyncIterable<unknown>;

export interface ClaudeAgentModelOptions {
  /** A name that Claude Code knows, such as `claude-sonnet-4-6`. @default Claude Code's default */
  readonly model?: string | undefined;
  /**
   * Variables of Claude Code's process, added to those of this process, such as `ANTHROPIC_API_KEY`. @default none
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Further options of `query`, such as `maxBudgetUsd`. They cannot replace the ones that are set here. @default none */
  readonly extraOptions?: Readonly<Record<string, unknown>> | undefined;
  /** The SDK's `query`. @default loads the package `@anthropic-ai/claude-agent-sdk` */
  readonly query?: ClaudeQuery | undefined;
}

export interface ClaudeAgentAdapterOptions extends ClaudeAgentModelOptions, ModelAdapterOptions {}

export const CLAUDE_AGENT_OPTIONS: readonly string[] = ["model", "env", "extraOptions", "query"];
