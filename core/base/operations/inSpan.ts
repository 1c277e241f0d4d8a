import {
  context,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
} from "@opentelemetry/api";
import { spanParentOf } from "./traceHeaders.ts";

/** The name under which an embedder's tracer sees the spans of a host. */
const tracerName = "manifold";

export interface SpanOptions {
  /** Names and numbers of the host; never a value of data, a statement, a key or a token. */
  readonly attributes?: Attributes;
  /** Absent: work inside of the host. */
  readonly kind?: "server" | "client" | "producer";
  /** The headers of a caller, whose `traceparent` is the parent; else the span under way is. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, producer: SpanKind.PRODUCER };

/**
 * Does work in a span of OpenTelemetry, which is the parent of spans within. Without a registered tracer it does the
 * work alone. A failure sets the status and `error.type`, its code: messages may hold values.
 */
export function inSpan<Result>(
  name: string,
  { attributes = {}, kind, headers }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const parent = headers ? spanParentOf(headers) : context.active();
  const options = { attributes, kind: kind ? kinds[kind] : SpanKind.INTERNAL };
  return trace.getTracer(tracerName).startActiveSpan(name, options, parent, async (span) => {
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

/** Does work that waits for nothing in a span, as `inSpan` does. */
export function inSpanNow<Result>(name: string, work: () => Result): Result {
  return trace.getTracer(tracerName).startActiveSpan(name, (span) => {
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
