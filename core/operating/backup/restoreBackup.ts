import { randomBytes } from "node:crypto";
import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { Client } from "pg";
import { migrateTo, openCatalog, type Log } from "../../catalog/index.ts";
import { openInProcess } from "../../sources/index.ts";
import type { Config } from "../../base/index.ts";
import { createTables } from "../../jobs/index.ts";
import type { BackupRecord } from "./backupRecord.ts";
import { fillCatalog } from "./catalog/fillCatalog.ts";
import { listTables } from "./catalog/listTables.ts";
import { isSecretOf } from "./takeBackup.ts";
import type { Vault } from "./vault/openVault.ts";

export interface RestoreOptions {
  readonly vault: Vault;
  readonly record: BackupRecord;
  /** The host to create: its data folder and, if it has one, its database. */
  readonly config: Config;
  readonly log: Log;
  /** Whether to continue without the secret of the backed-up host. The sealed values of that host are then lost. */
  readonly losesSecrets?: boolean;
}

/** Counts of what a restored host contains. */
export interface Restored {
  readonly datasetCount: number;
  readonly rowCount: number;
  readonly recordCount: number;
}

/**
 * Creates a host from a backup, in an empty data folder and database. Once every piece has been verified, the store's
 * files get their final names and the catalog is committed. An earlier failure leaves a folder that the next attempt
 * replaces.
 * @throws {Error} if the data folder or the database is not empty, a piece is damaged, or the secret is a different one
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { vault, record, config, log } = options;
  const { dataDir, databaseUrl } = config;
  const secretFile = await secretToWrite(options);
  const storeFolder = join(dataDir, record.store.slug);
  await refuseFull(storeFolder);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${storeFolder}.restoring`;
  await rm(draft, { recursive: true, force: true });
  await writeFiles(vault, draft, record.store.files);
  const catalog = await openCatalog({ databaseUrl, dataDir, log, keepsSchema: true });
  try {
    const client = new Client({ ...catalog.address });
    client.on("error", () => undefined);
    await client.connect();
    try {
      await refuseRecords(client, record);
      await migrateTo(catalog.knex, record.catalog.migrations);
      await createTables(catalog.knex);
      await client.query("begin");
      await fillCatalog(client, vault, record.catalog);
      await forgetHost(client);
      if (secretFile !== undefined)
        await writeFile(join(dataDir, "secret"), secretFile, { mode: 0o600, flush: true });
      await rename(draft, storeFolder);
      await client.query("commit");
    } finally {
      await client.end();
    }
  } finally {
    await catalog.close();
  }
  return countRestored(record, config);
}

/**
 * Returns the secret to write into the restored host's folder. Undefined if the settings contain the secret, or if the
 * host does not store its secret in the folder.
 */
async function secretToWrite(options: RestoreOptions): Promise<string | undefined> {
  const { record, config, losesSecrets = false } = options;
  const { secret: given, secretPrevious } = config;
  if (given !== undefined) {
    const opening = [given, secretPrevious].filter((each) => each !== undefined);
    for (const each of opening) if (await isSecretOf(record, each)) return undefined;
    if (losesSecrets) return undefined;
    throw new Error(
      "MANIFOLD_SECRET is not the secret of the original host; set it or MANIFOLD_SECRET_PREVIOUS to that secret, or use --lose-secrets and then enter the passwords of connections again",
    );
  }
  if (record.secret !== undefined && config.databaseUrl === undefined) return record.secret;
  if (losesSecrets && config.databaseUrl === undefined)
    return randomBytes(32).toString("base64url");
  if (losesSecrets) return undefined;
  throw new Error(
    config.databaseUrl === undefined
      ? "the backup is not encrypted, so it does not contain the secret; set MANIFOLD_SECRET to the contents of the file `secret` in the original data folder, or use --lose-secrets and then enter the passwords of connections again"
      : "MANIFOLD_SECRET must be the secret of the original host, as for every host with DATABASE_URL",
  );
}

async function refuseFull(folder: string): Promise<void> {
  const names = await readdir(folder).catch((failure: NodeJS.ErrnoException) => {
    if (failure.code === "ENOENT") return undefined;
    throw failure;
  });
  if (names === undefined) return;
  throw new Error(
    `${folder} exists, but a backup can only be restored into an empty data folder; choose another one with --data-dir`,
  );
}

/**
 * Refuses a database that contains users, or tables of other programs. A failed restore leaves only empty tables, which
 * are accepted.
 */
async function refuseRecords(client: Client, record: BackupRecord): Promise<void> {
  const own = new Set(record.catalog.tables.map(({ schema, name }) => `${schema}.${name}`));
  const tables = await listTables(client);
  const foreign = tables.find(({ schema, name }) => !own.has(`${schema}.${name}`));
  const isMade = tables.some(({ schema, name }) => schema === "public" && name === "user");
  const users = isMade ? await client.query('select 1 from "user" limit 1') : undefined;
  if (!foreign && !users?.rowCount) return;
  throw new Error(
    `the database has ${foreign ? `the table ${foreign.schema}.${foreign.name}` : "users"}, but a backup can only be restored into an empty database`,
  );
}

/**
 * Removes the mark of the backed-up host from the catalog, because it would prevent the restored host from starting.
 */
async function forgetHost(client: Client): Promise<void> {
  await client.query("delete from public.store_host");
}

async function writeFiles(
  vault: Vault,
  folder: string,
  files: BackupRecord["store"]["files"],
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const { name, sizeBytes, pieces } of files) {
    if (basename(name) !== name)
      throw new Error(`the backup contains a file with the invalid name ${JSON.stringify(name)}`);
    const handle = await open(join(folder, name), "wx", 0o600);
    try {
      let position = 0;
      for (const piece of pieces) {
        const bytes = await vault.find(piece);
        await handle.write(bytes, 0, bytes.length, position);
        position += bytes.length;
      }
      if (position !== sizeBytes)
        throw new Error(`${name} has ${position} bytes instead of ${sizeBytes}`);
      await handle.datasync();
    } finally {
      await handle.close();
    }
  }
}

/** Opens the restored store, which reads its files, and counts what it contains. */
async function countRestored(record: BackupRecord, config: Config): Promise<Restored> {
  const plugins = await openInProcess({ ...config, warmUp: false });
  try {
    const store = plugins.plugins.get(record.store.slug);
    const signal = AbortSignal.timeout(600_000);
    const datasets = (await store?.datasets({ credentials: { properties: {} }, signal })) ?? [];
    if (datasets.length < record.store.datasetCount)
      throw new Error(
        `the restored store has ${datasets.length} datasets instead of ${record.store.datasetCount}`,
      );
    return {
      datasetCount: datasets.length,
      rowCount: datasets.reduce((sum, { rows = 0 }) => sum + rows, 0),
      recordCount: record.catalog.tables.reduce((sum, { rowCount }) => sum + rowCount, 0),
    };
  } finally {
    await plugins.close();
  }
}
