import type { PlainHost } from "../../../support/plainHost.ts";
import { createRandom } from "../../../support/random.ts";
import { embedOf } from "../../../support/restricted.ts";
import { comparePlain } from "./comparePlain.ts";
import type { Oracle } from "./openOracle.ts";
import { oracleAnswer } from "./oracleAnswer.ts";
import type { OracleQuery } from "./oracleQuery.ts";
import { randomQuery } from "./randomQuery.ts";
import type { World } from "./world.ts";

/** How many queries were compared, and how many of their answers had rows. */
export interface Tally {
  requested: number;
  compared: number;
  withRows: number;
  otherKinds: number;
}

/**
 * Returns whether enough queries have run: `wanted` queries, with rows in more than `rowShare` of the compared answers.
 * In some worlds, few queries return rows, so more worlds may be needed. Also returns true after ten times the wanted
 * number of queries.
 */
export const hasEnough = (
  { requested, compared, withRows }: Tally,
  { wanted, rowShare }: { readonly wanted: number; readonly rowShare: number },
): boolean => requested >= 10 * wanted || (requested >= wanted && withRows > rowShare * compared);

/** The host refuses larger answers. Few random queries have one, because they complete two dimensions. */
const mostRows = 1_000_000;

export interface CompareWorldOptions {
  readonly oracle: Oracle;
  readonly seed: number;
  readonly world: World;
  readonly queryCount: number;
  readonly host: PlainHost;
  /** Other kinds of sources, by name. With the probability `otherShare`, a query also runs on one of them. */
  readonly others: readonly (readonly [string, PlainHost])[];
  readonly otherShare: number;
  readonly tally: Tally;
}

/** Runs random queries over a loaded world, and compares every cell of the answers with the oracle. */
export async function compareWorld(options: CompareWorldOptions): Promise<void> {
  const { oracle, seed, world, queryCount, host, others, otherShare, tally } = options;
  for (let index = 0; index < queryCount; index++) {
    const random = createRandom(seed * 1000 + index);
    const oracleQuery = randomQuery(random, world);
    const about = (name: string) =>
      `ORACLE_SEED=${seed}, query ${index}, ${name}, ${world.rows.length} rows, now ${new Date(world.nowMs).toISOString()}
${JSON.stringify(oracleQuery.query)}
parameters ${JSON.stringify([...oracleQuery.parameters])}`;
    const expected = await oracleAnswer(oracle, oracleQuery, world).catch((cause: unknown) => {
      throw new Error(`the oracle: ${String(cause)}\n${about("DuckDB")}`, { cause });
    });
    tally.requested++;
    if (expected.isDoubtful) continue;
    tally.compared++;
    if (expected.rows.length > 0) tally.withRows++;
    const other = others.length > 0 && random.chance(otherShare) ? [random.pick(others)] : [];
    tally.otherKinds += other.length;
    for (const [name, each] of [["strata", host] as const, ...other]) {
      if (expected.rows.length > mostRows) {
        const refusal = await askAs(each, oracleQuery).then(() => "no refusal", String);
        if (!refusal.includes(`at most ${mostRows}`)) throw new Error(`${refusal}\n${about(name)}`);
        continue;
      }
      const answer = await askAs(each, oracleQuery).catch((cause: unknown) => {
        throw new Error(`${String(cause)}\n${about(name)}`, { cause });
      });
      const difference = comparePlain(answer.data, expected);
      if (difference !== undefined) throw new Error(`${difference}\n${about(name)}`);
    }
  }
}

function askAs(host: PlainHost, { query, parameters }: OracleQuery) {
  return host.askAs(embedOf({ parameters }), query);
}
