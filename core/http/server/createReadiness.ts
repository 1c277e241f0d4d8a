import { type Readiness, readinessOf } from "./readiness.ts";

export interface ReadinessOptions {
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Returns the milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Milliseconds for which the result of a check is reused. */
const lookMs = 1_000;
/** A part counts as failed after failing for this long, and as recovered after answering for this long. */
const failedMs = 5_000;
const steadyMs = 2_000;

/** The published state of a part, and the time since when its checks have agreed. */
interface Part {
  readonly shown: "ok" | "failed";
  readonly found: "ok" | "failed";
  readonly sinceMs: number;
}

/**
 * Creates a readiness that does not flap. A restart of the catalog's database takes some seconds and does not remove
 * the host from its load balancer; a part that comes and goes is not ready. The first check is published at once. The
 * parts are checked at most once a second, however many callers there are.
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
