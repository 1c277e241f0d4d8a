import type { Knex } from "knex";
import { sealContext } from "../../catalog/index.ts";
import { factorContext } from "../../identity/index.ts";
import { declarations } from "../../resources/index.ts";

/** A catalog column that contains sealed strings. */
export interface SealedColumn {
  readonly table: string;
  readonly member: string;
  /** Returns the context in which the string of a row is sealed. */
  contextOf(id: string): string;
}

/** The column that contains the check value of the host's secret. */
export const checkColumn: SealedColumn = {
  table: "host_secret",
  member: "sealed",
  contextOf: () => "host_secret",
};

/** The column that contains the sealed keys of audit marks. */
export const markColumn: SealedColumn = {
  table: "secret_key",
  member: "mark_key",
  contextOf: (id) => sealContext("secret_key", "mark_key", id),
};

/**
 * Returns every column that contains secrets of people and connections. The secrets in these columns are lost if the
 * host's secret is lost.
 */
export function sealedColumns(): readonly SealedColumn[] {
  const declared = [...declarations.values()].flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([member, { secret, sealed }]) =>
      secret || sealed
        ? [{ table: name, member, contextOf: (id: string) => sealContext(name, member, id) }]
        : [],
    ),
  );
  return [...declared, { table: "second_factor", member: "secret", contextOf: factorContext }];
}

/** A sealed string, and the id of its record. */
export interface SealedText {
  readonly id: string;
  readonly sealed: string;
}

/** Reads the sealed strings of a column page by page, in the order of their record ids. */
export async function* readSealed(column: SealedColumn, knex: Knex): AsyncGenerator<SealedText> {
  for (let after: string | undefined; ;) {
    const page = await readPage(column, after, knex);
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined) return;
  }
}

/** Number of strings per page. */
export const pageCount = 200;

interface PageOptions {
  /** Adds conditions to the statement, which otherwise reads every sealed string of the column. */
  only?(query: Knex.QueryBuilder): unknown;
  readonly count?: number;
}

/** Reads the next strings of a column, in the order of their record ids. */
export async function readPage(
  { table, member }: SealedColumn,
  after: string | undefined,
  knex: Knex,
  { only, count = pageCount }: PageOptions = {},
): Promise<readonly SealedText[]> {
  const rows: readonly Readonly<Record<string, unknown>>[] = await knex(table)
    .select("id", member)
    .whereNotNull(member)
    .modify((query) => {
      if (after !== undefined) query.where("id", ">", after);
      only?.(query);
    })
    .orderBy("id")
    .limit(count);
  return rows.map((row) => ({ id: String(row["id"]), sealed: String(row[member]) }));
}
