import { type Readiness, readinessOf } from "./readiness.ts";

export interface ReadinessOptions {
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Returns the time of a monotonic clock in milliseconds. */
  readonly now?: () => number;
}

/** How long the result of a check is reused, in milliseconds. */
const lookMs = 1_000;
/** Milliseconds for which a part must fail before it counts as failed. */
const failedMs = 5_000;
/** Milliseconds for which a failed part must respond before it counts as recovered. */
const steadyMs = 2_000;

/** The published state of a part, and the time since which its checks have had the same result. */
interface Part {
  readonly shown: "ok" | "failed";
  readonly found: "ok" | "failed";
  readonly sinceMs: number;
}

/**
 * Creates a readiness check that does not flap. A restart of the catalog's database takes some seconds and does not
 * remove the host from its load balancer. A part that keeps failing and recovering is not ready. The first check is
 * published at once. The parts are checked at most once a second, regardless of the number of callers.
 */
export function createReadiness({
  checks,
  now = () => performance.now(),
}: ReadinessOptions): () => Promise<Readiness> {
  const parts = new Map<string, Part>();
  let latest: { readonly atMs: number; readonly readiness: Promise<Readiness> } | undefined;

  const follow = (name: string, found: Part["found"], atMs: number): Part => {
    const before = parts.get(name);
    if (!before) return { shown: found, found, sinceMs: atMs };
    const sinceMs = before.found === found ? before.sinceMs : atMs;
    const isSettled = atMs - sinceMs >= (found === "ok" ? steadyMs : failedMs);
    return { shown: isSettled ? found : before.shown, found, sinceMs };
  };
  const look = async (atMs: number): Promise<Readiness> => {
    const found = await readinessOf(checks);
    for (const [name, state] of Object.entries(found.parts))
      parts.set(name, follow(name, state, atMs));
    const shown = [...parts].map(([name, part]) => [name, part.shown] as const);
    return {
      ready: shown.every(([, state]) => state === "ok"),
      parts: Object.fromEntries(shown),
    };
  };
  return () => {
    const atMs = now();
    if (!latest || atMs - latest.atMs >= lookMs) latest = { atMs, readiness: look(atMs) };
    return latest.readiness;
  };
}
