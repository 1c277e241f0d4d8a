import { type Readiness, readinessOf } from "./readiness.ts";

export interface ReadinessOptions {
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
}

/** Milliseconds for which one look serves everybody who asks. */
const lookMs = 1_000;
/** A part has failed when it fails for so long, and answers again when it has answered for so long. */
const failedMs = 5_000;
const steadyMs = 2_000;

/** A part as those who ask see it, and since when its checks say the same. */
interface Part {
  readonly shown: "ok" | "failed";
  readonly found: "ok" | "failed";
  readonly sinceMs: number;
}

/**
 * Makes the readiness of a host that does not flap: a restart of the catalog's database, which takes some seconds,
 * takes no host out of its balancer, and a part that comes and goes is not ready. The first look counts as it is.
 * However many ask, the parts are checked once a second.
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
