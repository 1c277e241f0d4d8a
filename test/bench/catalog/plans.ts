import type { Knex } from "knex";

/** A statement that was sent to PostgreSQL, with its parameters. */
export interface Sent {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

/** A long table that a plan scans completely. */
export interface LongScan {
  readonly table: string;
  readonly rowCount: number;
  readonly sql: string;
}

interface PlanNode {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly PlanNode[];
}

interface PgConnection {
  query(sql: string, bindings: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
}
type Row = Readonly<Record<string, unknown>>;

/** Collects the statements that are sent to the catalog while `run` runs. */
export async function sentDuring(knex: Knex, run: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const listen = ({ sql, bindings }: Sent) => void sent.push({ sql, bindings: bindings ?? [] });
  knex.on("query", listen);
  try {
    await run();
  } finally {
    knex.off("query", listen);
  }
  return sent.filter(({ sql }) => /^\s*(select|with)\b/i.test(sql));
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

export interface ScanOptions {
  /** Number of rows from which a table counts as long. */
  readonly longRowCount: number;
  /**
   * If true, PostgreSQL scans a whole table only if it has no other plan, so that even small tables reveal a missing
   * index.
   */
  readonly avoidsScans?: boolean;
}

/** Runs statements again under EXPLAIN ANALYZE and returns the complete scans of long tables. */
export async function findLongScans(
  knex: Knex,
  statements: readonly Sent[],
  { longRowCount, avoidsScans = false }: ScanOptions,
): Promise<LongScan[]> {
  const connection: PgConnection = await knex.client.acquireConnection();
  try {
    await connection.query(`set enable_seqscan = ${avoidsScans ? "off" : "on"}`, []);
    const { rows } = await connection.query(
      "select relname as name, reltuples::float8 as number from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
      [],
    );
    const sizes = new Map(rows.map(({ name, number }) => [String(name), Number(number)]));
    const found: LongScan[] = [];
    for (const { sql, bindings } of statements) {
      const answer = await connection.query(`explain (analyze, format json) ${sql}`, bindings);
      const plans = (answer.rows[0]?.["QUERY PLAN"] ?? []) as readonly {
        readonly Plan: PlanNode;
      }[];
      if (plans.length === 0) throw new Error(`PostgreSQL returned no plan for ${sql}`);
      for (const node of plans.flatMap(({ Plan }) => nodesOf(Plan))) {
        const table = node["Relation Name"];
        if (node["Node Type"] !== "Seq Scan" || table === undefined) continue;
        const rowCount = sizes.get(table) ?? 0;
        if (rowCount >= longRowCount) found.push({ table, rowCount, sql });
      }
    }
    return found;
  } finally {
    await connection.query("reset enable_seqscan", []);
    await knex.client.releaseConnection(connection);
  }
}
