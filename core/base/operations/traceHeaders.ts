import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
} from "@opentelemetry/api";

/**
 * Returns the header `traceparent` of the span under way, for a call to another service; empty without one. Baggage and
 * `tracestate` of a caller are for the host alone.
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const written: Record<string, string> = {};
  propagation.inject(context.active(), written);
  const { traceparent } = written;
  return traceparent === undefined ? {} : { traceparent };
}

/** Returns the id of the trace under way, for log lines; undefined without one. */
export function traceId(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span && isSpanContextValid(span) ? span.traceId : undefined;
}

/**
 * Returns the context of a caller's `traceparent`. Whoever calls may name any trace: it is the parent of the span of
 * the request, and nothing is looked up or permitted by it. The propagator of the embedder checks its form.
 */
export function spanParentOf({ traceparent }: Readonly<Record<string, unknown>>): Context {
  return typeof traceparent === "string"
    ? propagation.extract(ROOT_CONTEXT, { traceparent })
    : ROOT_CONTEXT;
}
