import type { PluginCalls } from "../../base/index.ts";

/** Number of most recent calls whose times are kept, per plugin and organization. */
const keptTimes = 1_000;
/** Number of plugins whose calls are kept. The least recently called plugins are removed first. */
const keptPlugins = 1_000;

/** Counts the calls of plugins since the start of this process. */
export interface CallTimes {
  note(pluginId: string, call: NotedCall): void;
  /** Returns the calls of an organization, or of all organizations if none is given. */
  of(pluginId: string, organizationId?: string): PluginCalls;
}

export interface NotedCall {
  /** The organization of the call; absent for calls without an organization. */
  readonly organizationId: string | undefined;
  readonly milliseconds: number;
  readonly hasFailed: boolean;
}

interface Counted {
  calls: number;
  failures: number;
  lastAtMs: number;
  /** A ring buffer: the index of a call's time is the number of the call modulo `keptTimes`. */
  readonly times: number[];
}

/** Creates the counter of one process. `now` is its clock, in milliseconds since 1970. */
export function createCallTimes(now: () => number = Date.now): CallTimes {
  const since = new Date(now()).toISOString();
  const byPlugin = new Map<string, Map<string, Counted>>();
  return {
    note(pluginId, { organizationId = "", milliseconds, hasFailed }) {
      const known = byPlugin.get(pluginId) ?? new Map<string, Counted>();
      // A map keeps insertion order, so the most recently called plugin is last.
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

/** Returns the nearest-rank percentile of ascending times, rounded to 0.1 ms; null if there are no times. */
function percentile(times: readonly number[], share: number): number | null {
  const found = times[Math.max(0, Math.ceil(share * times.length) - 1)];
  return found === undefined ? null : Math.round(found * 10) / 10;
}
