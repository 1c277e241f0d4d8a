import type { Plugin, ProbedCapabilities } from "../../../plugins/protocol/index.ts";

/** How long a probe holds. */
const freshMs = 60_000;

interface Probe {
  readonly result: Promise<ProbedCapabilities>;
  readonly until: number;
}

/** By plugin and fingerprint: connections are made anew for every call, plugins are not. */
const probes = new WeakMap<Plugin, Map<string, Probe>>();

/**
 * Returns the answer of a probe of a plugin with one fingerprint, at most a minute old. Callers at the same time share
 * one probe. A failure is not kept.
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
