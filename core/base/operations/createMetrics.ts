import { Counter, Histogram, Registry } from "prom-client";
import { createBoundedNames } from "./createBoundedNames.ts";
import { createGauges, type HostReadings } from "./createGauges.ts";

/** A request that was answered. Each member but `seconds` is a word of the host, never one of the caller. */
export interface AnsweredRequest {
  /** The template of its path; `none` for a path of no route. */
  readonly route: string;
  readonly resource: string;
  readonly action: string;
  readonly status: number;
  readonly seconds: number;
}

export interface CalledPlugin {
  readonly plugin: string;
  /** `left`: the caller went away. */
  readonly outcome: "ok" | "failed" | "left";
  readonly seconds: number;
}

export interface AnsweredQuestion {
  /** The connection of its first dataset. */
  readonly plugin: string;
  /** Who computed it: the plugin alone (`whole`), or the host over groups, frequencies, rows or a join. */
  readonly mode: string;
  readonly cache: string;
  /** For each filter, how far the plugin took it: exact, superset or none. */
  readonly pushdowns: readonly string[];
}

export interface AttemptedDelivery {
  readonly channel: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** The metrics of one host, in a registry of its own. */
export interface Metrics {
  request(answered: AnsweredRequest): void;
  pluginCall(called: CalledPlugin): void;
  question(answered: AnsweredQuestion): void;
  delivery(attempted: AttemptedDelivery): void;
  /** Counts a call above the soft limit of a quota, or refused at its hard one. */
  quota(passed: { readonly name: string; readonly limit: "soft" | "hard" }): void;
  /** Has gauges read the host at each scrape, from now on. */
  watch(readings: HostReadings): void;
  /** Writes all metrics in the text format of Prometheus. */
  write(): Promise<{ readonly text: string; readonly contentType: string }>;
  close(): void;
}

/** Seconds: from answers out of memory to the deadline of a question. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Plugins that are named; the others are `other`. */
const namedPlugins = 50;

/** Makes the metrics of a host. No label has a name of a tenant, a user, a dataset or a path that a caller wrote. */
export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers;
  if (!registry) throw new TypeError("a registry is there");
  const plugins = createBoundedNames(namedPlugins);
  const requests = new Histogram({
    name: "manifold_http_request_duration_seconds",
    help: "Time until the answer of a request begins",
    labelNames: ["route", "resource", "action", "status"] as const,
    buckets,
    registers,
  });
  const pluginCalls = new Histogram({
    name: "manifold_plugin_call_duration_seconds",
    help: "Time of a call of a plugin or connector",
    labelNames: ["plugin", "outcome"] as const,
    buckets,
    registers,
  });
  const questions = new Counter({
    name: "manifold_questions_total",
    help: "Queries that were answered, by who computed them and by memory",
    labelNames: ["plugin", "mode", "cache"] as const,
    registers,
  });
  const filters = new Counter({
    name: "manifold_plugin_filters_total",
    help: "Filters of queries that ran, by how far the plugin took them",
    labelNames: ["plugin", "pushdown"] as const,
    registers,
  });
  const deliveries = new Histogram({
    name: "manifold_delivery_attempt_duration_seconds",
    help: "Time of an attempt to deliver a message",
    labelNames: ["channel", "outcome"] as const,
    buckets,
    registers,
  });
  const quotas = new Counter({
    name: "manifold_quota_passed_total",
    help: "Calls above the soft limit of a quota, and calls refused at its hard one",
    labelNames: ["quota", "limit"] as const,
    registers,
  });
  const gauges = createGauges(registers);
  return {
    request({ status, seconds, ...words }) {
      requests.observe({ ...words, status: `${Math.trunc(status / 100)}xx` }, seconds);
    },
    pluginCall: ({ plugin, outcome, seconds }) =>
      pluginCalls.observe({ plugin: plugins(plugin), outcome }, seconds),
    question({ plugin: name, mode, cache, pushdowns }) {
      const plugin = plugins(name);
      questions.inc({ plugin, mode, cache });
      // An answer from memory or of another caller's run asked no plugin.
      if (cache === "hit" || cache === "shared") return;
      for (const pushdown of pushdowns) filters.inc({ plugin, pushdown });
    },
    delivery: ({ seconds, ...words }) => deliveries.observe(words, seconds),
    quota: ({ name: quota, limit }) => quotas.inc({ quota, limit }),
    watch: (readings) => gauges.watch(readings),
    async write() {
      await gauges.read();
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
    close: () => gauges.close(),
  };
}
