import * as assert from "uvu/assert";
import { createMetrics, openMetricsPort } from "../../../../core/base/operations/index.ts";
import { openFakeApp, send } from "../../../support/fakeApp.ts";
import { createRandom } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const token = "a-token-for-tests-alone";
const idle = {
  jobs: async () => ({
    queues: [{ name: "delivery", waitingCount: 3, runningCount: 1, failedCount: 0 }],
    evaluations: { count: 2, medianLatenessMs: 1500, p99LatenessMs: null },
    deliveries: { waiting: 3 },
  }),
  outbox: async () => ({ taskCount: 2, oldestS: 7.5 }),
  store: () => ({ threads: 4 }),
  cache: () => ({ answers: 5, bytes: 4096 }),
  connections: () => ({ used: 1, free: 2, waiting: 3 }),
};

/** Returns the series of a metric, as lines without their values. */
const seriesOf = (text: string, name: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => line.slice(0, line.lastIndexOf(" ")));

suite("core/base/operations/createMetrics", (test) => {
  test("requests with random paths, methods, resources and actions add no new time series to the metrics", async () => {
    const metrics = createMetrics();
    const app = await openFakeApp({
      metrics: { counts: metrics, token },
      handlers: new Map([["column", { get: async () => ({ count: 0, rows: [] }) }]]),
    });
    const random = createRandom();
    const name = () => `n${random.below(1e9).toString(36)}"\\n{}`;
    const call = (path: string, action: string, method = "POST") =>
      send(`${app.url}${path}`, { method, body: JSON.stringify({ action, key: "K", token: "T" }) });
    try {
      await call("/0.1.0/column", "get");
      const known = (await metrics.write()).text;
      for (let turn = 0; turn < 40; turn++) {
        const path = encodeURIComponent(name());
        await call(`/${path}/${path}`, "get");
        await call(`/0.1.0/${path}`, "get");
        await call("/0.1.0/column", name());
        await call("/0.1.0/column", "get", random.pick(["PROPFIND", "MKCOL", "REPORT"]));
      }
      const { text } = await metrics.write();
      const counts = "manifold_http_request_duration_seconds_count";
      assert.equal(seriesOf(known, counts), [
        `${counts}{route="/0.1.0/:resource",resource="column",action="get",status="2xx"}`,
      ]);
      assert.equal(
        new Set(seriesOf(text, counts)),
        new Set([
          `${counts}{route="/0.1.0/:resource",resource="column",action="get",status="2xx"}`,
          `${counts}{route="none",resource="",action="",status="4xx"}`,
          `${counts}{route="/0.1.0/:resource",resource="",action="",status="4xx"}`,
          `${counts}{route="/0.1.0/:resource",resource="column",action="",status="4xx"}`,
        ]),
      );
    } finally {
      await app.close();
      metrics.close();
    }
  });

  test("the first 50 plugins each have a label of their own in the metrics, and all others share one label", async () => {
    const metrics = createMetrics();
    for (let each = 0; each < 500; each++)
      metrics.pluginCall({ plugin: `plugin-${each}`, outcome: "ok", seconds: 0.1 });
    metrics.pluginCall({ plugin: "x".repeat(10_000), outcome: "failed", seconds: 1 });
    const { text } = await metrics.write();
    metrics.close();
    const series = seriesOf(text, "manifold_plugin_call_duration_seconds_count");
    assert.is(series.length, 52);
    assert.ok(series.some((each) => each.includes('plugin="other",outcome="failed"')));
    assert.not.ok(text.includes("xxx"));
  });

  test("the metrics count a cached answer as a query, but do not count the query's filters again", async () => {
    const metrics = createMetrics();
    const question = { plugin: "strata", mode: "whole", pushdowns: ["exact", "superset", "exact"] };
    metrics.question({ ...question, cache: "miss" });
    metrics.question({ ...question, cache: "hit" });
    const { text } = await metrics.write();
    metrics.close();
    assert.ok(
      text.includes('manifold_questions_total{plugin="strata",mode="whole",cache="hit"} 1'),
    );
    assert.ok(text.includes('manifold_plugin_filters_total{plugin="strata",pushdown="exact"} 2'));
    assert.ok(
      text.includes('manifold_plugin_filters_total{plugin="strata",pushdown="superset"} 1'),
    );
  });

  test("/metrics responds only to callers with its token", async () => {
    const failed: string[] = [];
    const limits = {
      admit: () => undefined,
      failed: (address: string) => void failed.push(address),
      called: () => undefined,
      visited: () => undefined,
    };
    const metrics = createMetrics();
    const app = await openFakeApp({ metrics: { counts: metrics, token }, limits });
    const plain = await openFakeApp();
    const read = (url: string, authorization?: string) =>
      send(`${url}/metrics`, {
        method: "GET",
        ...(authorization !== undefined && { headers: { Authorization: authorization } }),
      });
    try {
      for (const wrong of [undefined, "Bearer", `Bearer ${token}x`, token, `Basic ${token}`]) {
        const { status, text } = await read(app.url, wrong);
        assert.is(status, 401);
        assert.match(text, "MANIFOLD_METRICS");
        assert.not.match(text, token);
      }
      assert.is(failed.length, 5);
      const answer = await read(app.url, `Bearer ${token}`);
      assert.is(answer.status, 200);
      assert.match(String(answer.headers["content-type"]), "text/plain; version=0.0.4");
      assert.match(answer.text, "process_resident_memory_bytes");
      assert.is((await read(plain.url, `Bearer ${token}`)).status, 404);
    } finally {
      await app.close();
      await plain.close();
      metrics.close();
    }
  });

  test("the metrics port serves only /metrics, and only under local host names", async () => {
    const metrics = createMetrics();
    metrics.watch(idle);
    const port = await openMetricsPort(metrics, 0);
    const at = (path: string, host?: string) =>
      send(port.url.replace("/metrics", path), { method: "GET", headers: host ? { host } : {} });
    try {
      const { status, text } = await at("/metrics");
      assert.is(status, 200);
      for (const line of [
        'manifold_jobs{queue="delivery",state="waiting"} 3',
        "manifold_outbox_oldest_seconds 7.5",
        'manifold_alert_lateness_seconds{quantile="0.5"} 1.5',
        'manifold_store{figure="threads"} 4',
        'manifold_cache{figure="bytes"} 4096',
        'manifold_catalog_connections{state="waiting"} 3',
        "manifold_catalog_answers 1",
      ])
        assert.ok(text.includes(`${line}\n`), line);
      assert.is((await at("/metrics", "rebound.example.org")).status, 403);
      assert.is((await at("/0.1.0/column")).status, 404);
    } finally {
      await port.close();
      metrics.close();
    }
  });

  test("if the catalog fails, a scrape of the metrics reports the failure, and the gauges of the catalog have no value", async () => {
    const metrics = createMetrics();
    metrics.watch(idle);
    await metrics.write();
    metrics.watch({ ...idle, outbox: () => Promise.reject(new Error("away")) });
    const { text } = await metrics.write();
    assert.ok(text.includes("manifold_catalog_answers 0\n"));
    assert.not.match(text, /^manifold_outbox_/m);
    assert.match(text, /^manifold_alert_evaluations 2$/m);
    metrics.watch({ ...idle, jobs: async () => undefined });
    assert.not.match((await metrics.write()).text, /^manifold_(alert|jobs|deliveries)/m);
    metrics.close();
  });
});
