import { Counter, Histogram, Registry } from "prom-client";
import { createBoundedNames } from "./createBoundedNames.ts";
import { createGauges, type HostReadings } from "./createGauges.ts";

/**
 * A request to which the host has responded. Apart from `seconds`, the members contain only words that the host
 * defines, and never text from a caller.
 */
export interface AnsweredRequest {
  /** The path template of the request's route, or `none` if no route matches. */
  readonly route: string;
  readonly resource: string;
  readonly action: string;
  readonly status: number;
  readonly seconds: number;
}

export interface CalledPlugin {
  readonly plugin: string;
  /** How the request ended. `left` means that the caller disconnected. */
  readonly outcome: "ok" | "failed" | "left";
  readonly seconds: number;
}

export interface AnsweredQuestion {
  /** The name of the connection of the query's first dataset. */
  readonly plugin: string;
  /**
   * How the answer was computed: entirely by the plugin (`whole`), or by the host from groups, frequencies, rows or a
   * join.
   */
  readonly mode: string;
  readonly cache: string;
  /** How the plugin applied each filter: exact, superset or none. */
  readonly pushdowns: readonly string[];
}

export interface AttemptedDelivery {
  readonly channel: string;
  readonly outcome: string;
  readonly seconds: number;
}

/** The metrics of one host, in their own registry. */
export interface Metrics {
  request(answered: AnsweredRequest): void;
  pluginCall(called: CalledPlugin): void;
  question(answered: AnsweredQuestion): void;
  delivery(attempted: AttemptedDelivery): void;
  /** Counts a call that exceeds the soft limit of a quota, or that is refused at the hard limit. */
  quota(passed: { readonly name: string; readonly limit: "soft" | "hard" }): void;
  /** Reads the given gauges at each scrape from now on. */
  watch(readings: HostReadings): void;
  /** Returns all metrics in the text format of Prometheus. */
  write(): Promise<{ readonly text: string; readonly contentType: string }>;
  close(): void;
}

/** Upper bounds of the histogram's buckets in seconds, from cached answers to the deadline of a query. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];
/** Number of plugins that have a label of their own. All other plugins share the label `other`. */
const namedPlugins = 50;

/** Creates the metrics of a host. No label contains a tenant, a user, a dataset, or a path that a caller sent. */
export function createMetrics(): Metrics {
  const registers = [new Registry()];
  const [registry] = registers;
  if (!registry) throw new TypeError("a registry exists");
  const plugins = createBoundedNames(namedPlugins);
  const requests = new Histogram({
    name: "manifold_http_request_duration_seconds",
    help: "Time until the response to a request begins",
    labelNames: ["route", "resource", "action", "status"] as const,
    buckets,
    registers,
  });
  const pluginCalls = new Histogram({
    name: "manifold_plugin_call_duration_seconds",
    help: "Time of a call to a plugin or connector",
    labelNames: ["plugin", "outcome"] as const,
    buckets,
    registers,
  });
  const questions = new Counter({
    name: "manifold_questions_total",
    help: "Answered queries, by who computed the answer and whether it was cached",
    labelNames: ["plugin", "mode", "cache"] as const,
    registers,
  });
  const filters = new Counter({
    name: "manifold_plugin_filters_total",
    help: "Filters of executed queries, by how the plugin applied them",
    labelNames: ["plugin", "pushdown"] as const,
    registers,
  });
  const deliveries = new Histogram({
    name: "manifold_delivery_attempt_duration_seconds",
    help: "Time of one attempt to deliver a message",
    labelNames: ["channel", "outcome"] as const,
    buckets,
    registers,
  });
  const quotas = new Counter({
    name: "manifold_quota_passed_total",
    help: "Calls that exceeded the soft limit of a quota, or failed at its hard limit",
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
      // No plugin was called for an answer from the cache, or from a run that another caller started.
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
