import {
  context,
  INVALID_SPAN_CONTEXT,
  ProxyTracer,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from "@opentelemetry/api";
import { spanParentOf } from "./traceHeaders.ts";

/** The name under which an embedder's tracer sees the host's spans. */
const tracerName = "manifold";

export interface SpanOptions {
  /**
   * Attributes of the span: names and numbers that the host defines, and never a data value, a statement, a key or a
   * token.
   */
  readonly attributes?: Attributes;
  /** The kind of the span. Absent for work inside the host. */
  readonly kind?: "server" | "client" | "producer";
  /**
   * Headers of the caller. Their `traceparent` names the parent of the span. Without it, the current span is the
   * parent.
   */
  readonly headers?: Readonly<Record<string, unknown>>;
}

/** The span of work while no tracer is registered. It records nothing. */
const unrecorded = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER };

/**
 * Runs work in an OpenTelemetry span. Spans that the work starts are children of this span. Without a registered
 * tracer, only the work runs. If the work fails, the span gets an error status, and `error.type` is the failure's code.
 * The message is not recorded, because messages may contain data values.
 */
export function inSpan<Result>(
  name: string,
  { attributes = {}, kind, headers }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const tracer = trace.getTracer(tracerName);
  // Without a registered tracer, the API creates an object and several closures for each span that nobody records. Only
  // the trace of the caller is still passed on.
  if (tracer instanceof ProxyTracer && headers?.["traceparent"] === undefined)
    return work(unrecorded);
  const parent = headers ? spanParentOf(headers) : context.active();
  const options = { attributes, kind: kind ? kinds[kind] : SpanKind.INTERNAL };
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (failure) {
      failSpan(span, failure);
      throw failure;
    } finally {
      span.end();
    }
  });
}

/** Runs synchronous work in a span, like `inSpan`. */
export function inSpanNow<Result>(name: string, work: () => Result): Result {
  const tracer = trace.getTracer(tracerName);
  if (tracer instanceof ProxyTracer) return work();
  return tracer.startActiveSpan(name, (span) => {
    try {
      return work();
    } catch (failure) {
      failSpan(span, failure);
      throw failure;
    } finally {
      span.end();
    }
  });
}

function failSpan(span: Span, failure: unknown): void {
  const isObject = typeof failure === "object" && failure !== null;
  const code: unknown = isObject ? Reflect.get(failure, "code") : undefined;
  const name = failure instanceof Error ? failure.name : "unknown";
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", typeof code === "string" ? code : name);
}
