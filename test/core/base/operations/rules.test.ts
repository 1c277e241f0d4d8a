import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { createMetrics } from "../../../../core/base/operations/index.ts";
import { send } from "../../../support/fakeApp.ts";
import { openHttpSink } from "../../../support/httpSink.ts";
import { refused } from "../../../support/refused.ts";
import { suite } from "../../../support/suite.ts";
import { openPeople, sumOf } from "../../openPeople.ts";

const folder = join(import.meta.dirname, "../../../../docs");
const read = (path: string) => readFileSync(join(folder, path), "utf8");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly action: string };
}

/** Returns the metrics text of a host on which every kind of event has happened once. */
async function textOfMetrics(): Promise<string> {
  const metrics = createMetrics();
  const seconds = 0.1;
  const route = "/0.1.0/:resource";
  metrics.request({ route, resource: "data", action: "get", status: 500, seconds });
  for (const outcome of ["failed", "left"] as const)
    metrics.pluginCall({ plugin: "strata", outcome, seconds });
  metrics.question({ plugin: "strata", mode: "whole", cache: "miss", pushdowns: ["exact"] });
  metrics.delivery({ channel: "webhook", outcome: "delivered", seconds });
  metrics.quota({ name: "rows", limit: "soft" });
  metrics.watch({
    jobs: async () => ({
      queues: [{ name: "delivery", waitingCount: 0, runningCount: 0, failedCount: 0 }],
      evaluations: { count: 1, medianLatenessMs: 1, p99LatenessMs: 1 },
      deliveries: { waiting: 0 },
    }),
    outbox: async () => ({ taskCount: 0, oldestS: 0 }),
    store: () => ({ threads: 1 }),
    cache: () => ({ answers: 1, bytes: 1 }),
    connections: () => ({ used: 1, free: 1, waiting: 0 }),
    quotas: async () => [{ organizationId: "O", name: "rows", used: 1, soft: 1, hard: 2 }],
  });
  const { text } = await metrics.write();
  metrics.close();
  return text;
}

/** Returns the metrics of that host, each with its labels. */
async function metricsOfHost(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const text = await textOfMetrics();
  const found = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name) ?? new Set();
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(name, known);
  }
  return found;
}

/** Returns the response to a scrape after a push, queries, plugin calls and deliveries, including failures. */
async function textOfRunningHost(): Promise<string> {
  const token = "a-token-for-tests-alone";
  const people = await openPeople({ metrics: token });
  const sink = await openHttpSink();
  try {
    const { owner } = people;
    await owner.get("data", sumOf(await people.push()));
    const live = await people.connect();
    await owner.get("data", sumOf(live));
    await refused(owner.get("data", {}));
    await people.endSources();
    await refused(owner.get("data", sumOf(live, "salary")));
    for (const type of ["webhook", "teams", "slack"]) {
      const channel = { name: { en: type }, type, config: { url: sink.url } };
      const { id } = await owner.create<{ id: string }>("channel", channel);
      for (const status of [200, 500, 400]) {
        sink.plan(status);
        await owner.test("channel", { id });
      }
    }
    const headers = { Authorization: `Bearer ${token}` };
    return (await send(`${people.host.url}/metrics`, { method: "GET", headers })).text;
  } finally {
    await sink.close();
    await people.close();
  }
}

interface Series {
  readonly name: string;
  readonly labels: ReadonlyMap<string, string>;
}

function readSeries(text: string): Series {
  const [name = ""] = text.split("{");
  const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)];
  return { name, labels: new Map(labels.map(([, label = "", value = ""]) => [label, value])) };
}

const seriesIn = (text: string): Series[] =>
  [...text.matchAll(/^(\w+(?:\{.*\})?) \S+$/gm)].map(([, series = ""]) => readSeries(series));

/** Labels that Prometheus adds, and labels whose values the operator chooses. */
const foreign: ReadonlySet<string> = new Set(["instance", "plugin"]);

/**
 * Returns the first part of a series that no host reports: its name, a label, or the value of a label. Undefined if a
 * host reports every part.
 */
function unknownSeries(text: string, shown: readonly Series[]): string | undefined {
  const { name, labels } = readSeries(text);
  const ofName = shown.filter((each) => each.name === name);
  const own = [...labels.keys()].filter((label) => label !== "instance").toSorted();
  if (!ofName.some((each) => [...each.labels.keys()].toSorted().join() === own.join())) return text;
  for (const [label, value] of labels)
    if (!foreign.has(label) && !ofName.some((each) => each.labels.get(label) === value))
      return `${label}="${value}" of ${name}`;
  return undefined;
}

/** Returns the names that occur in an expression but that no host reports. */
function unknownIn(expr: string, metrics: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const unknown: string[] = [];
  const names = [...expr.matchAll(/\b((?:manifold|process)_[a-z_]+)(?:\{([^}]*)\})?/g)];
  if (names.length === 0) unknown.push(`no metric in ${expr}`);
  const labels = new Set(["instance"]);
  for (const [, name = "", matchers = ""] of names) {
    const known = metrics.get(name);
    if (!known) unknown.push(name);
    for (const label of known ?? []) labels.add(label);
    for (const [, label = ""] of matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g))
      if (!known?.has(label)) unknown.push(`${name}{${label}}`);
  }
  for (const [, list = ""] of expr.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of list.split(",")) if (!labels.has(label.trim())) unknown.push(label.trim());
  let depth = 0;
  for (const sign of expr) depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
  if (depth !== 0) unknown.push(`unbalanced brackets in ${expr}`);
  return unknown;
}

suite("core/base/operations/rules", (test) => {
  const alerts = parse(read("operations/alerts.yml")) as {
    readonly groups: readonly { readonly rules: readonly Rule[] }[];
  };
  const dashboard = JSON.parse(read("operations/dashboard.json")) as {
    readonly panels: readonly {
      readonly title: string;
      readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
    }[];
  };
  const rules = alerts.groups.flatMap((group) => group.rules);

  test("every alerting rule has a severity and instructions, and uses only metrics and labels that exist", async () => {
    const metrics = await metricsOfHost();
    assert.is(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const rule of rules) {
      assert.equal(unknownIn(rule.expr, metrics), [], rule.alert);
      assert.match(rule.for, /^\d+m$/);
      assert.ok(["page", "ticket"].includes(rule.labels.severity), rule.alert);
      assert.ok(rule.annotations.summary.length > 10 && rule.annotations.action.length > 10);
    }
  });

  test("a running host has every time series that the test cases of the alerting rules use", async () => {
    const running = seriesIn(await textOfRunningHost());
    // During the short run of this host, no alert was evaluated and no caller disconnected.
    const own = /^manifold_(http_request|delivery_attempt|jobs|catalog|event_loop)/;
    const made = seriesIn(await textOfMetrics()).filter(({ name }) => !own.test(name));
    const shown = [...running, ...made];
    const { tests } = parse(read("operations/alerts.test.yml")) as {
      readonly tests: readonly { readonly input_series: readonly { readonly series: string }[] }[];
    };
    const series = tests.flatMap((each) => each.input_series.map(({ series: text }) => text));
    const unknown = new Set(series.map((text) => unknownSeries(text, shown)));
    assert.equal([...unknown], [undefined]);
    for (const wrong of [
      'manifold_job{queue="evaluation",state="waiting"}',
      'manifold_jobs{queue="evaluation"}',
      'manifold_jobs{queue="evaluations",state="waiting"}',
    ])
      assert.type(unknownSeries(wrong, shown), "string");
  });

  test("every panel of the dashboard uses existing metrics and labels", async () => {
    const metrics = await metricsOfHost();
    for (const { title, targets } of dashboard.panels)
      for (const { expr, legendFormat } of targets) {
        assert.equal(unknownIn(expr, metrics), [], title);
        assert.not.match(legendFormat, "undefined");
      }
  });

  test("the dashboard shows every metric except the start time", async () => {
    const metrics = await metricsOfHost();
    const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join();
    const names = [...metrics.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
    const missing = [...new Set(names)].filter((name) => !shown.includes(name));
    assert.equal(missing, ["process_start_time_seconds"]);
  });

  test("the documentation lists exactly the metrics that a host has", async () => {
    const metrics = await metricsOfHost();
    const own = [...metrics.keys()].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
    const rows = read("OPERATIONS.md")
      .split("\n")
      .filter((line) => /^\| `(manifold|process)_/.test(line));
    const named = rows.flatMap((row) =>
      [...(row.split("|")[1] ?? "").matchAll(/`([a-z_]+)`/g)].map(([, name]) => name),
    );
    assert.equal(new Set(named), new Set(own));
  });

  test("the checks of alerting rules detect wrong metrics, labels and brackets", async () => {
    const metrics = await metricsOfHost();
    for (const wrong of [
      "sum(rate(manifold_nothing_total[5m]))",
      'manifold_jobs{tenant="a"}',
      "sum by (tenant) (manifold_jobs)",
      "sum(manifold_jobs",
      "up == 0",
    ])
      assert.ok(unknownIn(wrong, metrics).length > 0, wrong);
  });
});
