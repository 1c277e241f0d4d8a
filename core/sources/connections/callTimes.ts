import type { PluginCalls } from "../../base/index.ts";

/** The last calls whose times are kept, of one plugin by one organization. */
const keptTimes = 1_000;
/** Plugins whose calls are kept; the ones that were called longest ago are forgotten. */
const keptPlugins = 1_000;

/** Counts the calls of plugins since the start of this process. */
export interface CallTimes {
  note(pluginId: string, call: NotedCall): void;
  /** Returns the calls that an organization made; without one, the calls of all. */
  of(pluginId: string, organizationId?: string): PluginCalls;
}

export interface NotedCall {
  /** Absent for calls that no organization asked for. */
  readonly organizationId: string | undefined;
  readonly milliseconds: number;
  readonly hasFailed: boolean;
}

interface Counted {
  calls: number;
  failures: number;
  lastAtMs: number;
  /** A ring: the place of a call is its number modulo `keptTimes`. */
  readonly times: number[];
}

/** Makes the counter of one process. `now` is its clock, in milliseconds since 1970. */
export function createCallTimes(now: () => number = Date.now): CallTimes {
  const since = new Date(now()).toISOString();
  const byPlugin = new Map<string, Map<string, Counted>>();
  return {
    note(pluginId, { organizationId = "", milliseconds, hasFailed }) {
      const known = byPlugin.get(pluginId) ?? new Map<string, Counted>();
      // A map keeps the order of insertion: the last called plugin comes last.
      byPlugin.delete(pluginId);
      byPlugin.set(pluginId, known);
      const [oldest] = byPlugin.keys();
      if (byPlugin.size > keptPlugins && oldest !== undefined) byPlugin.delete(oldest);
      const fresh: Counted = { calls: 0, failures: 0, lastAtMs: 0, times: [] };
      const counted = known.get(organizationId) ?? fresh;
      known.set(organizationId, counted);
      counted.times[counted.calls % keptTimes] = milliseconds;
      counted.calls++;
      if (hasFailed) counted.failures++;
      counted.lastAtMs = now();
    },
    of(pluginId, organizationId) {
      const known = byPlugin.get(pluginId) ?? new Map<string, Counted>();
      const counted = [...known].flatMap(([id, each]) =>
        organizationId === undefined || id === organizationId ? [each] : [],
      );
      const sum = (member: "calls" | "failures") =>
        counted.reduce((total, each) => total + each[member], 0);
      const times = counted.flatMap((each) => each.times).toSorted((one, other) => one - other);
      const lastAtMs = Math.max(0, ...counted.map((each) => each.lastAtMs));
      return {
        since,
        calls: sum("calls"),
        failures: sum("failures"),
        last_at: lastAtMs === 0 ? null : new Date(lastAtMs).toISOString(),
        milliseconds: { p50: percentile(times, 0.5), p95: percentile(times, 0.95) },
      };
    },
  };
}

/** The nearest-rank percentile of ascending times, rounded to 0.1 ms; null for none. */
function percentile(times: readonly number[], share: number): number | null {
  const found = times[Math.max(0, Math.ceil(share * times.length) - 1)];
  return found === undefined ? null : Math.round(found * 10) / 10;
}
