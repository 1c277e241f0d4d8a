import type { Plugin, ProbedCapabilities } from "../../../plugins/protocol/index.ts";

/** How long a probe is valid. */
const freshMs = 60_000;

interface Probe {
  readonly result: Promise<ProbedCapabilities>;
  readonly until: number;
}

/** Probes by plugin and fingerprint. The probes are not stored in connections, which are created for every call. */
const probes = new WeakMap<Plugin, Map<string, Probe>>();

/**
 * Probes a plugin with one fingerprint, or returns the result of a probe that is at most a minute old. Concurrent
 * callers share one probe. Failures are not cached.
 */
export function probeCapabilities(
  plugin: Plugin,
  fingerprint: string,
  probe: () => Promise<ProbedCapabilities>,
): Promise<ProbedCapabilities> {
  const known = probes.get(plugin) ?? new Map<string, Probe>();
  probes.set(plugin, known);
  const now = performance.now();
  for (const [name, { until }] of known) if (until <= now) known.delete(name);
  const fresh = known.get(fingerprint);
  if (fresh) return fresh.result;
  const made: Probe = { result: probe(), until: now + freshMs };
  known.set(fingerprint, made);
  made.result.catch(() => {
    if (known.get(fingerprint) === made) known.delete(fingerprint);
  });
  return made.result;
}
