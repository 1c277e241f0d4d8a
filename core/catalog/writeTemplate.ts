import { mkdir, mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pid } from "node:process";
import type { Knex } from "knex";
import { openCatalog } from "./catalog.ts";
import type { Log } from "./log.ts";
import { packFolder } from "./postgres/template/packFolder.ts";
import { templateFileName } from "./postgres/template/templateFile.ts";
import { templateKey } from "./templateKey.ts";

export interface TemplateOptions {
  /** The folder into which the file is written. It is created if it is missing. */
  readonly folder: string;
  readonly log: Log;
  /** Creates the tables of other parts of the host in the new catalog. */
  fill(knex: Knex): Promise<void>;
}

/** A file that describes how the server was started. */
const commandLine = "postmaster.opts";

/**
 * Writes the template of a new catalog: a packed cluster with the schema, which embedded servers unpack at their first
 * start. Keeps the file if it exists. Resolves to its path. Takes about five seconds.
 */
export async function writeTemplate({ folder, log, fill }: TemplateOptions): Promise<string> {
  const file = join(folder, templateFileName(templateKey()));
  if (await stat(file).catch(() => undefined)) return file;
  await mkdir(folder, { recursive: true });
  const dataDir = await mkdtemp(join(tmpdir(), "manifold-template-"));
  try {
    const segment = await fillCluster(dataDir, log, fill);
    const isKept = (path: string) =>
      path !== commandLine &&
      (!/^pg_wal\/[0-9A-F]{24}$/.test(path) || path === `pg_wal/${segment}`);
    const packed = await packFolder(join(dataDir, "catalog"), isKept);
    await writeFile(`${file}.${pid}`, packed);
    await rename(`${file}.${pid}`, file);
    return file;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Creates a catalog and stops its server. Returns the only segment of the log that the next start reads. */
async function fillCluster(
  dataDir: string,
  log: Log,
  fill: TemplateOptions["fill"],
): Promise<string> {
  const catalog = await openCatalog({
    databaseUrl: undefined,
    dataDir,
    log,
    // A new segment of the log then contains zeros instead of former entries.
    settings: { wal_recycle: "off" },
  });
  try {
    await fill(catalog.knex);
    await catalog.knex.raw("vacuum analyze");
    await catalog.knex.raw("select pg_switch_wal()");
    await catalog.knex.raw("checkpoint");
    const { rows }: { rows: { segment: string }[] } = await catalog.knex.raw(
      "select pg_walfile_name(pg_current_wal_insert_lsn()) as segment",
    );
    return String(rows[0]?.segment);
  } finally {
    await catalog.close();
  }
}
