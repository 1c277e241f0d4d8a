import {
  context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  trace,
  type Context,
} from "@opentelemetry/api";

/**
 * Returns the `traceparent` header of the current span for a call to another service; an empty object without a span.
 * A caller's baggage and `tracestate` are not passed on.
 */
export function traceHeaders(): Readonly<Record<string, string>> {
  const written: Record<string, string> = {};
  propagation.inject(context.active(), written);
  const { traceparent } = written;
  return traceparent === undefined ? {} : { traceparent };
}

/** Returns the id of the current trace for log lines; undefined without a trace. */
export function traceId(): string | undefined {
  const span = trace.getActiveSpan()?.spanContext();
  return span && isSpanContextValid(span) ? span.traceId : undefined;
}

/**
 * Returns the context of a caller's `traceparent`, which becomes the parent of the request's span. Callers may name any
 * trace, because a trace grants no access and nothing is looked up by its id. The embedder's propagator validates the
 * header.
 */
export function spanParentOf({ traceparent }: Readonly<Record<string, unknown>>): Context {
  return typeof traceparent === "string"
    ? propagation.extract(ROOT_CONTEXT, { traceparent })
    : ROOT_CONTEXT;
}
