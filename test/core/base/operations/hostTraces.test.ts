import { context, propagation, SpanKind, trace } from "@opentelemetry/api";
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
  type ReadableSpan,
} from "@opentelemetry/sdk-trace-base";
import { pino } from "pino";
import * as assert from "uvu/assert";
import { openHttpSink, type HttpSink } from "../../../support/httpSink.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../../../support/legacyPlugin.ts";
import { send } from "../../../support/fakeApp.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf, type Dataset, type People } from "../../openPeople.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";
const canary = "canary-of-a-value";

suite("core/base/operations/hostTraces", (test) => {
  const spans = new InMemorySpanExporter();
  const logLines: string[] = [];
  let people: People;
  let plugin: LegacyPlugin;
  let sink: HttpSink;
  let live: Dataset;
  test.before(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
    propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
    sink = await openHttpSink();
    const columns = [
      { id: "region", name: { en: "region" }, type: "hierarchy" },
      { id: "km", name: { en: "km" }, type: "numeric" },
    ];
    plugin = await openLegacyPlugin({
      version: "2.0.0",
      pushdown: false,
      datasets: [{ id: "trips", name: { en: "Trips" }, columns, rows: [[canary, 1]] }],
    });
    const logger = pino({ level: "info" }, { write: (line: string) => logLines.push(line) });
    people = await openPeople({ logger });
    const { owner } = people;
    await owner.create("plugin", {
      slug: "trips",
      name: { en: "Trips" },
      base_url: plugin.url,
      protocol_version: "2.0.0",
      authorize: "none",
    });
    const account = await owner.create<{ id: string }>("account", { provider: "trips", name: "t" });
    const { data } = await owner.create<{ data: { id: string }[] }>("dataprovider", {
      provider: "trips",
      account_id: account.id,
      datasets: ["trips"],
    });
    const id = String(data[0]?.id);
    const { rows } = await owner.get("column", { where: { securable_id: id } });
    const names = rows.map((row) => [String(row["source_name"]), String(row["id"])]);
    live = { id, columns: Object.fromEntries(names) };
  });
  test.after(async () => {
    await people?.close();
    await plugin?.close();
    await sink?.close();
    trace.disable();
    context.disable();
    propagation.disable();
  });

  /** Sends a call with headers. Returns its response, and the spans of its trace. */
  async function traced(
    resource: string,
    body: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = { traceparent: `00-${traceId}-${parentId}-01` },
  ) {
    spans.reset();
    logLines.length = 0;
    plugin.requests.length = 0;
    const answer = await send(`${people.host.url}/0.1.0/${resource}`, {
      headers,
      body: JSON.stringify({ ...people.owner.pair, version: "0.1.0", ...body }),
    });
    const request = () => spans.getFinishedSpans().find(({ kind }) => kind === SpanKind.SERVER);
    // The span of a request ends shortly after the response.
    for (let turn = 0; turn < 1_000 && !request(); turn++)
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    return { answer, found: spans.getFinishedSpans() };
  }
  const named = (found: readonly ReadableSpan[], name: string) =>
    found.find((span) => span.name === name);
  const traceQuery = () => traced("data", { action: "get", find: sumOf(live) });

  test.deep(
    "a query to a plugin creates a tree of spans under the caller's traceparent",
    async () => {
      const { answer, found } = await traceQuery();
      assert.is(answer.status, 200);
      const parents = new Map(found.map((span) => [span.spanContext().spanId, span.name]));
      const above = (name: string) =>
        parents.get(named(found, name)?.parentSpanContext?.spanId ?? "");
      assert.equal(new Set(found.map((span) => span.spanContext().traceId)), new Set([traceId]));
      const request = named(found, "POST /0.1.0/:resource");
      assert.is(request?.parentSpanContext?.spanId, parentId);
      assert.is(request?.attributes["manifold.resource"], "data");
      assert.is(request?.attributes["http.response.status_code"], 200);
      assert.is(above("query"), "POST /0.1.0/:resource");
      for (const phase of ["parse", "bind", "run"]) assert.is(above(phase), "query");
      assert.is(above("plan"), "run");
      assert.is(above("plugin call"), "run");
    },
  );

  test.deep(
    "plugin calls and log lines carry the caller's trace id, but no other trace headers of the caller",
    async () => {
      const { found } = await traced(
        "data",
        { action: "get", find: { ...sumOf(live), where: [] } },
        {
          traceparent: `00-${traceId}-${parentId}-01`,
          tracestate: "vendor=of-the-caller",
          baggage: "user=of-the-caller",
        },
      );
      const call = named(found, "plugin call");
      const [request] = plugin.requests;
      const { spanId } = call!.spanContext();
      assert.is(request?.headers["traceparent"], `00-${traceId}-${spanId}-01`);
      assert.is(request?.headers["baggage"], undefined);
      assert.is(request?.headers["tracestate"], undefined);
      const line = logLines.map((each) => JSON.parse(each)).find(({ msg }) => msg === "request");
      assert.is(line.traceId, traceId);
    },
  );

  test.deep(
    "an invalid traceparent starts a new trace without changing the request id",
    async () => {
      const malformed = [`00-${"0".repeat(32)}-${parentId}-01`, "x".repeat(500), "00-1-2-3"];
      const ids = new Set<string>();
      for (const traceparent of malformed) {
        const { answer, found } = await traced(
          "column",
          { action: "get", find: { limit: 1 } },
          { traceparent },
        );
        assert.is(answer.status, 200);
        const request = named(found, "POST /0.1.0/:resource");
        assert.is(request?.parentSpanContext, undefined);
        ids.add(String(answer.headers["x-request-id"]));
      }
      assert.is(ids.size, malformed.length);
    },
  );

  test.deep("a call with a traceparent and a wrong token is refused", async () => {
    const { answer, found } = await traced("data", { action: "get", find: {}, token: "wrong" });
    assert.is(answer.status, 401);
    assert.equal(
      found.map(({ name }) => name),
      ["POST /0.1.0/:resource"],
    );
  });

  test.deep("pushes and deliveries have spans, and webhooks receive the traceparent", async () => {
    const pushed = await traced("data", {
      action: "create",
      properties: { type: "create", data: [[canary, 1]], options: { header: ["a", "b"] } },
    });
    const push = named(pushed.found, "push");
    assert.is(push?.spanContext().traceId, traceId);
    assert.is(named(pushed.found, "plugin call")?.attributes["manifold.plugin"], "strata");
    const channel = await people.owner.create<{ id: string }>("channel", {
      type: "webhook",
      name: "W",
      config: { url: sink.url, secret: "of-the-channel" },
    });
    const { answer, found } = await traced("channel", { action: "test", id: channel.id });
    assert.is(answer.status, 200, answer.text);
    const delivery = named(found, "delivery");
    assert.is(delivery?.attributes["manifold.outcome"], "delivered");
    const { spanId } = delivery!.spanContext();
    assert.is(sink.calls.at(-1)?.headers["traceparent"], `00-${traceId}-${spanId}-01`);
  });

  test.deep("spans contain no data values, SQL statements, keys or tokens", async () => {
    await traceQuery();
    const { found } = await traced("data", {
      action: "get",
      find: { ...sumOf(live), where: [{ expression: canary, parameters: [] }] },
    });
    const secrets = [canary, people.owner.pair.token, people.owner.pair.key];
    for (const { name, attributes, status, events } of found) {
      const text = JSON.stringify({ name, attributes, status, events });
      for (const secret of secrets) assert.not.ok(text.includes(secret), text);
    }
    const failed = named(found, "query");
    assert.type(failed?.attributes["error.type"], "string");
  });
});
