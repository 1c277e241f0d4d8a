import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import type { BackupRecord, BackupTable } from "../backupRecord.ts";
import type { Vault } from "../vault/openVault.ts";
import { catalogSchemas, listTables, quote } from "./listTables.ts";

interface Constraint {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Fills an empty catalog that has the schema of the backup, in the current transaction. Foreign keys are checked after
 * all rows are written. Rows that the schema contains, such as reference data, are replaced.
 * @throws {Error} if a table or a column is unknown, a row is refused, or rows are missing
 */
export async function fillCatalog(
  client: Client,
  vault: Vault,
  { tables, sequences }: BackupRecord["catalog"],
): Promise<void> {
  await refuseUnknown(client, tables);
  const constraints = await listForeignKeys(client);
  for (const { table, name } of constraints)
    await client.query(`alter table ${table} drop constraint ${quote(name)}`);
  const present = (await listTables(client)).map(
    ({ schema, name }) => `${quote(schema)}.${quote(name)}`,
  );
  await client.query(`truncate ${present.join(", ")}`);
  for (const table of tables) await fillTable(client, vault, table);
  for (const { table, name, definition } of constraints)
    await client.query(`alter table ${table} add constraint ${quote(name)} ${definition}`);
  for (const { schema, name, value, isCalled } of sequences)
    await client.query("select setval($1::regclass, $2::bigint, $3)", [
      `${quote(schema)}.${quote(name)}`,
      value,
      isCalled,
    ]);
}

async function refuseUnknown(client: Client, tables: readonly BackupTable[]): Promise<void> {
  const known = new Map(
    (await listTables(client)).map(({ schema, name, columns }) => [`${schema}.${name}`, columns]),
  );
  for (const { schema, name, columns } of tables) {
    const there = known.get(`${schema}.${name}`);
    const missing = columns.filter((column) => !there?.includes(column));
    if (there && missing.length === 0) continue;
    throw new Error(
      `the backup has ${there ? `the columns ${missing.join(", ")} of ` : ""}the table ${schema}.${name}, which this version of manifold does not have; restore it with the version that took the backup`,
    );
  }
}

async function listForeignKeys(client: Client): Promise<Constraint[]> {
  const { rows } = await client.query<Constraint>(
    `select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_namespace n on n.oid = c.connamespace
    where c.contype = 'f' and c.conparentid = 0 and n.nspname = any($1) order by 1, 2`,
    [catalogSchemas],
  );
  return rows;
}

async function fillTable(client: Client, vault: Vault, table: BackupTable): Promise<void> {
  const { schema, name, columns, rowCount, pieces } = table;
  const quotedName = `${quote(schema)}.${quote(name)}`;
  if (pieces.length > 0) {
    await client.query(`alter table ${quotedName} disable trigger user`);
    const stream = client.query(
      copyFrom(
        `copy ${quotedName} (${columns.map(quote).join(", ")}) from stdin (encoding 'UTF8')`,
      ),
    );
    const read = async function* () {
      for (const piece of pieces) yield await vault.find(piece);
    };
    await pipeline(Readable.from(read()), stream);
    await client.query(`alter table ${quotedName} enable trigger user`);
  }
  const { rows } = await client.query<{ count: string }>(`select count(*) from ${quotedName}`);
  const [counted] = rows;
  if (Number(counted?.count) !== rowCount)
    throw new Error(
      `the table ${schema}.${name} has ${counted?.count} rows instead of ${rowCount}`,
    );
}
