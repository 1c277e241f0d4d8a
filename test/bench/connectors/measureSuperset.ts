import { createDriver } from "../../../connectors/postgres/createDriver.ts";
import { dialect } from "../../../connectors/postgres/dialect.ts";
import type { Capabilities } from "../../../plugins/protocol/index.ts";
import { createSqlPlugin, sql, tableId, type Dialect } from "../../../plugins/sql/index.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase } from "../../support/postgresDatabase.ts";
import { spreadOf, type Spread } from "../spread.ts";
import { openConnected } from "./openConnected.ts";

export interface SupersetReport {
  readonly rowCount: number;
  /** Number of rows that pass the filter. */
  readonly matchCount: number;
  /** Number of rows that the database sent to the residual. */
  readonly sentCount: number;
  /** Number of rows of the table that the database read, according to its statistics. */
  readonly fetchedCount: number;
  /** Response times of the host in milliseconds. */
  readonly tookMs: Spread;
}

/** The number of distinct names, each of which has a thousandth of the rows. */
const nameCount = 1000;
/**
 * Every third occurrence of a name is in capital letters. These rows pass the filter of the database, but not the
 * filter of the host.
 */
const capitalEvery = 3;

/** The dialect of a database whose equality ignores case, so that its filter passes additional rows. */
const ignoring: Dialect = {
  ...dialect,
  equal: ({ left, right }) => sql`lower(${left}) = lower(${right})`,
};

/**
 * Sums the rows of one name, in a table whose database ignores case. Counts the rows that the database reads and sends.
 */
export async function measureSuperset(rowCount: number, rounds: number): Promise<SupersetReport> {
  const database = await openPostgresDatabase();
  const driver = createDriver({ reach: openReach(), timeoutMs: 600_000 });
  const plugin = createSqlPlugin({ dialect: ignoring, driver, sizeBytes: 2 ** 28 });
  await database.run(`create table named as select
    case when i / ${nameCount} % ${capitalEvery} = 0 then upper('name ' || i % ${nameCount}) else 'name ' || i % ${nameCount} end as "source.name",
    i::float8 as "source.value"
    from generate_series(0, ${rowCount - 1}) i`);
  await database.run(`create index on named (lower("source.name"::text collate "C"))`);
  await database.run("vacuum analyze named");
  const source = {
    plugin,
    credentials: database.credentials,
    datasetId: tableId({ schema: "public", name: "named" }),
  };
  const columns = [
    { id: "name", type: "hierarchy" },
    { id: "value", type: "numeric" },
  ] as const;
  const { host, close } = await openConnected(source, columns, withSuperset);
  try {
    const question = {
      measures: [{ column_id: "value", dataset_id: "D", aggregation: { type: "sum" } }],
      where: [
        { expression: "? = ?", parameters: [{ column_id: "name", dataset_id: "D" }, "name 17"] },
      ],
    };
    const [expected] = await database.run(
      `select count(*)::float8, sum("source.value") from named where "source.name" = 'name 17'`,
    );
    const fetched = async () => {
      await database.run("select pg_stat_force_next_flush()");
      const [row] = await database.run(
        "select seq_tup_read + idx_tup_fetch from pg_stat_user_tables where relname = 'named'",
      );
      return Number(row?.[0]);
    };
    await plugin.release?.(database.credentials);
    const before = await fetched();
    const explained = await host.explain(question);
    // PostgreSQL guarantees that a session has written its statistics only when the session ends.
    await plugin.release?.(database.credentials);
    const fetchedCount = (await fetched()) - before;
    const { parts } = (explained as { readonly explain: { readonly parts: readonly Part[] } })
      .explain;
    const sentCount = parts.find(({ dataset_id }) => dataset_id === "D")?.rows ?? Number.NaN;
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const startedAt = performance.now();
      const { data } = await host.sendQuery(question);
      if (round >= 0) times.push(performance.now() - startedAt);
      if (data[0]?.[0] !== expected?.[1])
        throw new Error(
          `the host returned ${String(data[0]?.[0])} instead of ${String(expected?.[1])}`,
        );
    }
    const matchCount = Number(expected?.[0]);
    return { rowCount, matchCount, sentCount, fetchedCount, tookMs: spreadOf(times) };
  } finally {
    await close();
    await plugin.close?.();
    await database.close();
  }
}

interface Part {
  readonly dataset_id: string | null;
  readonly rows: number | null;
}

function withSuperset({ filters, ...capabilities }: Capabilities): Capabilities {
  const { "=": equality = [], ...operators } = filters?.operators ?? {};
  return { ...capabilities, filters: { ...filters, operators, superset: { "=": equality } } };
}
