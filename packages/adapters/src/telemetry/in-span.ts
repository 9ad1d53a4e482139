import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

export interface InSpanOptions<T> {
  readonly span: Span;
  /** What the span lies in. */
  readonly parent: Context;
  /** What is to be said of the end. */
  readonly describe: (value: T) => Attributes;
  /** The kind of an error, without what it says. */
  readonly errorType: (error: unknown) => string;
}

/**
 * Does `work` at once, as the work of a span, and ends the span with it.
 *
 * What errors say may hold anything, so it stays out; only their kind is in the span.
 */
export async function inSpan<T>(
  work: (inside: Context) => Promise<T>,
  { span, parent, describe, errorType }: InSpanOptions<T>,
): Promise<T> {
  const inside = trace.setSpan(parent, span);
  try {
    const value = await context.with(inside, () => work(inside));
    const attributes = describe(value);
    span.setAttributes(attributes);
    if ("error.type" in attributes) span.setStatus({ code: SpanStatusCode.ERROR });
    return value;
  } catch (error) {
    span.setAttribute("error.type", errorType(error));
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** The code of an error that has one, or else its name; `aborted` when that is why. */
export function errorTypeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return "aborted";
  if (!(error instanceof Error)) return "_OTHER";
  const { code } = error as { readonly code?: unknown };
  return (typeof code === "string" ? code : error.name).slice(0, 100);
}
