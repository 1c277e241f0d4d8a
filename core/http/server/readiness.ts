/** The state of each part of a host by name. `ready` is true if all parts work. */
export interface Readiness {
  readonly ready: boolean;
  readonly parts: Readonly<Record<string, "ok" | "failed">>;
}

/** Runs the checks of all parts concurrently. A part has failed if its check throws. */
export async function readinessOf(
  checks: Readonly<Record<string, () => Promise<void>>>,
): Promise<Readiness> {
  const states = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await check();
        return [name, "ok"] as const;
      } catch {
        return [name, "failed"] as const;
      }
    }),
  );
  return {
    ready: states.every(([, state]) => state === "ok"),
    parts: Object.fromEntries(states),
  };
}
