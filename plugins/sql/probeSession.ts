import {
  PluginError,
  type Capabilities,
  type Demotion,
  type ProbedCapabilities,
} from "../protocol/index.ts";
import type { Dialect } from "./dialect.ts";
import type { SqlSession } from "./driver.ts";
import { join, sql } from "./fragment.ts";
import { probesOf, type Probe } from "./probes.ts";
import { writeStatement } from "./writeStatement.ts";

/**
 * Runs the probes of a dialect on a session, in a single statement. A failed probe removes its capability. If the
 * statement itself fails, each probe runs in its own statement.
 */
export async function probeSession(
  session: SqlSession,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<ProbedCapabilities> {
  const probes = probesOf(dialect).filter(({ test }) => test !== undefined);
  const results = await resultsOf(session, probes, dialect, signal);
  let capabilities: Capabilities = dialect.capabilities;
  const demoted: Demotion[] = [];
  probes.forEach(({ capability, reason, demote }, index) => {
    if (results[index]) return;
    capabilities = demote(capabilities);
    demoted.push({ capability, reason });
  });
  return { capabilities, demoted };
}

async function resultsOf(
  session: SqlSession,
  probes: readonly Probe[],
  dialect: Dialect,
  signal: AbortSignal,
): Promise<readonly boolean[]> {
  try {
    return await run(session, probes, dialect, signal);
  } catch (failure) {
    signal.throwIfAborted();
    const alone: boolean[] = [];
    for (const probe of probes)
      alone.push(await run(session, [probe], dialect, signal).then(passes, () => false));
    // If every probe fails, the session itself is broken.
    if (!alone.includes(true)) throw failure;
    return alone;
  }
}

function passes([result]: readonly boolean[]): boolean {
  return result === true;
}

async function run(
  session: SqlSession,
  probes: readonly Probe[],
  dialect: Dialect,
  signal: AbortSignal,
): Promise<readonly boolean[]> {
  const outputs = probes.map(({ test }) =>
    dialect.output(sql`case when ${test!} then 1 else 0 end`, "numeric"),
  );
  const statement = writeStatement(sql`select ${join(outputs, ", ")}`, dialect);
  for await (const rows of session.rows(statement, signal))
    for (const row of rows) return row.map((value) => dialect.cellOf(value, "numeric") === 1);
  throw new PluginError("PLUGIN_SOURCE_FAILED", [`${dialect.name} returned no row for its probes`]);
}
