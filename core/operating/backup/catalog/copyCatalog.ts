import type { Client } from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { BackupRecord, BackupSequence, BackupTable } from "../backupRecord.ts";
import type { Vault } from "../vault/openVault.ts";
import { catalogSchemas, type CatalogTable, listTables, quote } from "./listTables.ts";

/** Maximum bytes of a piece before compression. */
const pieceBytes = 2 ** 22;

/**
 * Copies every table of the catalog as a transaction sees it. Rows are ordered by their key, so that an unchanged table
 * has the same pieces as in the previous backup.
 */
export async function copyCatalog(client: Client, vault: Vault): Promise<BackupRecord["catalog"]> {
  const { rows } = await client.query<{ name: string }>("select name from migration order by name");
  const listed = await listTables(client);
  const areEmpty = await emptyOf(client, listed);
  const tables: BackupTable[] = [];
  for (const [index, table] of listed.entries()) {
    const { schema, name, columns } = table;
    tables.push(
      areEmpty[index]
        ? { schema, name, columns: [...columns], rowCount: 0, pieces: [] }
        : await copyTable(client, vault, table),
    );
  }
  return {
    migrations: rows.map(({ name }) => name),
    tables,
    sequences: await readSequences(client),
  };
}

/**
 * Returns, for each table, whether it is empty. One query tests all tables, because most tables are empty and each COPY
 * takes a round trip.
 */
async function emptyOf(
  client: Client,
  tables: readonly CatalogTable[],
): Promise<readonly boolean[]> {
  const tests = tables.map(
    ({ schema, name }) => `not exists(select from ${quote(schema)}.${quote(name)})`,
  );
  const { rows } = await client.query<{ empty: boolean[] }>(
    `select array[${tests.join(", ")}]::boolean[] as empty`,
  );
  return rows[0]?.empty ?? [];
}

async function copyTable(client: Client, vault: Vault, table: CatalogTable): Promise<BackupTable> {
  const { schema, name, columns, keyColumns } = table;
  const order = keyColumns.length > 0 ? ` order by ${keyColumns.map(quote).join(", ")}` : "";
  const selected = `select ${columns.map(quote).join(", ")} from ${quote(schema)}.${quote(name)}${order}`;
  const stream = client.query(copyTo(`copy (${selected}) to stdout (encoding 'UTF8')`));
  const pieces: string[] = [];
  let parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const flush = async () => {
    if (sizeBytes === 0) return;
    const bytes = Buffer.concat(parts);
    parts = [];
    sizeBytes = 0;
    pieces.push(await vault.keep(bytes, { isPacked: true }));
  };
  for await (const part of stream) {
    if (!(part instanceof Uint8Array)) throw new TypeError("COPY must send bytes");
    parts.push(part);
    sizeBytes += part.length;
    if (sizeBytes >= pieceBytes) await flush();
  }
  await flush();
  return { schema, name, columns: [...columns], rowCount: stream.rowCount, pieces };
}

async function readSequences(client: Client): Promise<BackupSequence[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    "select schemaname as schema, sequencename as name from pg_sequences where schemaname = any($1) order by 1, 2",
    [catalogSchemas],
  );
  const sequences: BackupSequence[] = [];
  for (const { schema, name } of rows) {
    const state = await client.query<{ last_value: string; is_called: boolean }>(
      `select last_value::text, is_called from ${quote(schema)}.${quote(name)}`,
    );
    for (const { last_value, is_called } of state.rows)
      sequences.push({ schema, name, value: last_value, isCalled: is_called });
  }
  return sequences;
}
