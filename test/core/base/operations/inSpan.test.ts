import { context, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import * as assert from "uvu/assert";
import { ApiError } from "../../../../core/base/errors.ts";
import {
  inSpan,
  inSpanNow,
  traceHeaders,
  traceId,
} from "../../../../core/base/operations/index.ts";
import { suite } from "../../../support/suite.ts";

const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

suite("core/base/operations/inSpan", (test) => {
  const spans = new InMemorySpanExporter();
  test.before(() => {
    const spanProcessors = [new SimpleSpanProcessor(spans)];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
  });
  test.after(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });

  test("a span continues the caller's trace and passes on its traceparent, without its baggage", async () => {
    spans.reset();
    const headers = { traceparent, baggage: "user=ada", tracestate: "vendor=1" };
    const sent = await inSpan("outer", { kind: "server", headers }, () =>
      inSpan("inner", {}, async () =>
        inSpanNow("now", () => ({ ...traceHeaders(), id: traceId() })),
      ),
    );
    const [now, inner, outer] = spans.getFinishedSpans();
    assert.equal([now?.name, inner?.name, outer?.name], ["now", "inner", "outer"]);
    assert.is(now?.parentSpanContext?.spanId, inner?.spanContext().spanId);
    assert.is(inner?.parentSpanContext?.spanId, outer?.spanContext().spanId);
    assert.is(outer?.parentSpanContext?.spanId, "b7ad6b7169203331");
    const spanId = now?.spanContext().spanId;
    const id = "0af7651916cd43dd8448eb211c80319c";
    assert.equal(sent, { traceparent: `00-${id}-${spanId}-01`, id });
  });

  test("a span records the code but not the message of a failure", async () => {
    spans.reset();
    const failure = new ApiError("MEMBER_INVALID", ["name", "a secret value"]);
    const failing = inSpan("fails", {}, () => Promise.reject(failure));
    assert.is(await failing.catch((thrown: unknown) => thrown), failure);
    assert.throws(() =>
      inSpanNow("fails", () => {
        throw new TypeError("a secret value");
      }),
    );
    const found = spans.getFinishedSpans();
    const types = found.map(({ attributes }) => attributes["error.type"]);
    assert.equal(types, ["MEMBER_INVALID", "TypeError"]);
    for (const { attributes, status, events } of found)
      assert.not.match(JSON.stringify([attributes, status, events]), "secret");
  });

  test("without a registered tracer, the work of a span runs and sends no trace header", async () => {
    trace.disable();
    context.disable();
    propagation.disable();
    const done = await inSpan("outer", { headers: { traceparent } }, async () => ({
      headers: traceHeaders(),
      id: traceId(),
    }));
    assert.equal(done, { headers: {}, id: undefined });
  });
});
