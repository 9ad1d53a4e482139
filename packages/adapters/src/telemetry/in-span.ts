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
  /** The context of the parent span. */
  readonly parent: Context;
  /** The attributes to set when the work has succeeded. */
  readonly describe: (value: T) => Attributes;
  /** The kind of an error, without its message. */
  readonly errorType: (error: unknown) => string;
}

/**
 * Starts `work` immediately inside a span and ends the span with it.
 *
 * Error messages may contain secrets, so only the error's kind is recorded.
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

/** The error's code if it has one, else its name. `aborted` if the signal is aborted. */
export function errorTypeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (signal?.aborted) return "aborted";
  if (!(error instanceof Error)) return "_OTHER";
  const { code } = error as { readonly code?: unknown };
  return (typeof code === "string" ? code : error.name).slice(0, 100);
}
