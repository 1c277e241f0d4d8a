import { monitorEventLoopDelay } from "node:perf_hooks";
import { Gauge, type Registry } from "prom-client";

/** Figures of the host that a scrape reports. */
export interface HostReadings {
  /** Counts of scheduled work; undefined if the catalog does not respond in time. */
  jobs(): Promise<WatchedJobs | undefined>;
  /** Number of outbox tasks that the store has not finished, and the age of the oldest in seconds. */
  outbox(): Promise<{ readonly taskCount: number; readonly oldestS: number }>;
  /** Figures of the store by name. */
  store(): Readonly<Record<string, number>>;
  /** Number of cached answers, and their size in bytes. */
  cache(): { readonly answers: number; readonly bytes: number };
  /** Number of connections to the catalog in each state. */
  connections(): { readonly used: number; readonly free: number; readonly waiting: number };
  /** Quotas of the organizations that the operator lists. */
  quotas?(): Promise<readonly WatchedQuota[]>;
}

/** Usage and limits of one organization. A limit that the organization does not have is null. */
interface WatchedQuota {
  readonly organizationId: string;
  readonly name: string;
  readonly used: number;
  readonly soft: number | null;
  readonly hard: number | null;
}

interface WatchedJobs {
  readonly queues: readonly {
    readonly name: string;
    readonly waitingCount: number;
    readonly runningCount: number;
    readonly failedCount: number;
  }[];
  readonly evaluations: {
    readonly count: number;
    readonly medianLatenessMs: number | null;
    readonly p99LatenessMs: number | null;
  };
  readonly deliveries: Readonly<Record<string, number>>;
}

export interface Gauges {
  watch(readings: HostReadings): void;
  /**
   * Reads the figures of the host. If reading a figure takes longer than two seconds, the scrape contains no value for
   * it.
   */
  read(): Promise<void>;
  close(): void;
}

/** Maximum milliseconds that a scrape waits for the catalog. */
const readMs = 2_000;
const nanoseconds = 1e9;

/** Creates the gauges of a host: scheduled work, outbox, store and process. */
export function createGauges(registers: Registry[]): Gauges {
  const gauge = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Gauge({ name, help, labelNames, registers });
  const catalog = gauge("manifold_catalog_answers", "1 if the catalog responded to this scrape");
  const jobs = gauge("manifold_jobs", "Jobs of all hosts on the catalog", "queue", "state");
  const evaluations = gauge(
    "manifold_alert_evaluations",
    "Alert evaluations that ended in the last five minutes",
  );
  const lateness = gauge(
    "manifold_alert_lateness_seconds",
    "Time from the due time of an evaluation to its end, for evaluations of the last five minutes",
    "quantile",
  );
  const deliveries = gauge(
    "manifold_deliveries",
    "Deliveries that are waiting, or that ended in the last five minutes, by outcome",
    "outcome",
  );
  const tasks = gauge("manifold_outbox_tasks", "Unfinished changes of the store");
  const oldest = gauge("manifold_outbox_oldest_seconds", "Age of the oldest unfinished change");
  const used = gauge(
    "manifold_quota_used",
    "Usage of the organizations that the operator listed",
    "organization",
    "quota",
  );
  const limits = gauge(
    "manifold_quota_limit",
    "Limits of the organizations that the operator listed",
    "organization",
    "quota",
    "limit",
  );
  const store = gauge("manifold_store", "Figures of the store: threads, queries, bytes", "figure");
  const cache = gauge("manifold_cache", "Cached answers and their bytes", "figure");
  const connections = gauge(
    "manifold_catalog_connections",
    "Used and free connections to the catalog, and statements that wait for a connection",
    "state",
  );
  const delay = gauge(
    "manifold_event_loop_delay_seconds",
    "Delay of the main thread since the last scrape",
    "quantile",
  );
  const cpu = gauge("process_cpu_seconds_total", "Processor time of the process");
  const resident = gauge("process_resident_memory_bytes", "Memory of the process");
  const started = gauge(
    "process_start_time_seconds",
    "Start time of the process, in seconds since 1970-01-01 UTC",
  );
  const heap = gauge("manifold_heap_used_bytes", "Used heap of the main thread");
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  let watched: HostReadings | undefined;

  function readProcess(): void {
    const { user, system } = process.cpuUsage();
    const { rss, heapUsed } = process.memoryUsage();
    cpu.set((user + system) / 1e6);
    resident.set(rss);
    heap.set(heapUsed);
    started.set(Math.round(Date.now() / 1000 - process.uptime()));
    delay.set({ quantile: "0.5" }, loop.percentile(50) / nanoseconds);
    delay.set({ quantile: "0.99" }, loop.percentile(99) / nanoseconds);
    delay.set({ quantile: "1" }, loop.max / nanoseconds);
    loop.reset();
  }

  function showJobs(seen: WatchedJobs): void {
    for (const { name: queue, ...counts } of seen.queues) {
      jobs.set({ queue, state: "waiting" }, counts.waitingCount);
      jobs.set({ queue, state: "running" }, counts.runningCount);
      jobs.set({ queue, state: "failed" }, counts.failedCount);
    }
    const { count, medianLatenessMs, p99LatenessMs } = seen.evaluations;
    evaluations.set(count);
    if (medianLatenessMs !== null) lateness.set({ quantile: "0.5" }, medianLatenessMs / 1000);
    if (p99LatenessMs !== null) lateness.set({ quantile: "0.99" }, p99LatenessMs / 1000);
    for (const [outcome, each] of Object.entries(seen.deliveries))
      deliveries.set({ outcome }, each);
  }

  function showQuota({ organizationId, name, soft, hard, ...quota }: WatchedQuota): void {
    const labels = { organization: organizationId, quota: name };
    used.set(labels, quota.used);
    if (soft !== null) limits.set({ ...labels, limit: "soft" }, soft);
    if (hard !== null) limits.set({ ...labels, limit: "hard" }, hard);
  }

  return {
    watch(readings) {
      watched = readings;
    },
    async read() {
      readProcess();
      // Otherwise, the value of an earlier scrape would be reported again.
      for (const each of [jobs, evaluations, lateness, deliveries, tasks, oldest, used, limits])
        each.reset();
      // Resetting a gauge without labels would set it to 0, which would be reported as a value.
      for (const each of [evaluations, tasks, oldest]) each.remove();
      if (!watched) return;
      for (const [figure, value] of Object.entries(watched.store())) store.set({ figure }, value);
      for (const [figure, value] of Object.entries(watched.cache())) cache.set({ figure }, value);
      for (const [state, count] of Object.entries(watched.connections()))
        connections.set({ state }, count);
      const [seen, owed, quotas] = await Promise.all([
        inTime(watched.jobs()),
        inTime(watched.outbox()),
        inTime(watched.quotas?.() ?? Promise.resolve([])),
      ]);
      catalog.set(seen && owed ? 1 : 0);
      if (seen) showJobs(seen);
      for (const quota of quotas ?? []) showQuota(quota);
      if (owed) tasks.set(owed.taskCount);
      if (owed) oldest.set(owed.oldestS);
    },
    close: () => void loop.disable(),
  };
}

/** Returns a reading, or undefined if it is late or fails. `manifold_catalog_answers` reports such a failure. */
async function inTime<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, readMs, undefined);
  try {
    return await Promise.race([reading.catch(() => undefined), late]);
  } finally {
    clearTimeout(timer);
  }
}
