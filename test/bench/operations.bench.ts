/**
 * How much processor time do metrics and traces take at 500 answers per second? The instruments record, for each
 * answer, its request, six spans, one call to a plugin and one query. The bench times many answers in four ways:
 * without instruments, with instruments but without an SDK, with an SDK that samples nothing, and with an SDK that
 * records every span and exports none. The cost of a context manager in the rest of a host is not included. The figures
 * are processor time, so a busy machine changes them by only a few percent.
 */
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  type SpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { createMetrics, inSpan, inSpanNow } from "../../core/base/operations/index.ts";
import { atMost, reportBars } from "./bars.ts";

const answerCount = 100_000;
const answersPerSecond = 500;
const metrics = createMetrics();

async function measuredAnswer(): Promise<void> {
  await inSpan("request", { kind: "server", headers: {} }, (span) =>
    inSpan("query", {}, async () => {
      inSpanNow("parse", () => undefined);
      await inSpan("bind", {}, () => Promise.resolve());
      await inSpan("run", {}, async () => {
        inSpanNow("plan", () => undefined);
        await inSpan("plugin call", { kind: "client" }, () => Promise.resolve());
        metrics.pluginCall({ plugin: "strata", outcome: "ok", seconds: 0.002 });
      });
      metrics.question({ plugin: "strata", mode: "whole", cache: "miss", pushdowns: ["exact"] });
      const [route, resource, action] = ["/0.1.0/:resource", "data", "get"];
      span.setAttributes({ "http.route": route, "manifold.resource": resource });
      metrics.request({ route, resource, action, status: 200, seconds: 0.003 });
    }),
  );
}

/** Runs the same work without instruments. */
const plain = async (work: () => Promise<void>): Promise<void> => work();
async function plainAnswer(): Promise<void> {
  await plain(() =>
    plain(async () => {
      await plain(() => Promise.resolve());
      await plain(async () => {
        await plain(() => Promise.resolve());
      });
    }),
  );
}

async function microsecondsOf(answer: () => Promise<void>): Promise<number> {
  for (let each = 0; each < answerCount / 10; each++) await answer();
  const before = process.cpuUsage();
  for (let each = 0; each < answerCount; each++) await answer();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / answerCount;
}

const nothing: SpanProcessor = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};
const share = (microseconds: number) => (microseconds * answersPerSecond) / 1e4;
const without = await microsecondsOf(plainAnswer);
const costs: (readonly [string, number])[] = [];
const measure = async (name: string) => {
  const cost = (await microsecondsOf(measuredAnswer)) - without;
  costs.push([name, cost]);
  process.stdout.write(
    `  ${name.padEnd(32)} ${cost.toFixed(1)} µs per answer, ${share(cost).toFixed(2)} % of a core\n`,
  );
};
await measure("no SDK");
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
for (const [name, sampler] of [
  ["SDK that samples nothing", new AlwaysOffSampler()],
  ["SDK that records every span", new AlwaysOnSampler()],
] as const) {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler, spanProcessors: [nothing] }));
  await measure(name);
  trace.disable();
}
metrics.close();
reportBars(
  costs.map(([name, cost]) =>
    atMost(`metrics and traces at 500 answers per second, ${name}`, share(cost), 2, "%"),
  ),
);
