import { checkPlugin, findingsOf } from "../../../plugins/conformance/index.ts";
import { openRegistered } from "./openRegistered.ts";

/** The part of an entry that the kit determines. */
export interface RegistryReport {
  readonly summary: string;
  readonly proved: readonly string[];
}

/**
 * Checks a plugin of the list with the kit. Returns the part of its entry that the kit determines. The seed is fixed,
 * so that every run sends the same queries.
 * @throws {Error} with the findings if the plugin has a fault
 */
export async function readReport(slug: string): Promise<RegistryReport> {
  const opened = await openRegistered[slug]?.();
  if (!opened) throw new Error(`openRegistered.ts cannot open ${slug}`);
  const { plugin, credentials, wire, close } = opened;
  try {
    const report = await checkPlugin({
      plugin,
      credentials,
      seed: 1,
      queryCount: 4000,
      checksUnclaimed: false,
      ...(wire && { wire }),
    });
    const findings = findingsOf(report);
    if (findings.length > 0) throw new Error(`${slug}: ${JSON.stringify(findings)}`);
    const proved = report.claims
      .filter(({ verdict }) => verdict === "proved")
      .map(({ claim }) => claim);
    return { summary: `passed: ${proved.length} proved, 0 wrong`, proved };
  } finally {
    await close();
  }
}
