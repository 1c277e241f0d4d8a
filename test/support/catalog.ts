import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import knexOf from "knex";
import {
  createCipher,
  openCatalog,
  openEmbeddedPostgres,
  type Catalog,
  type Cipher,
  type EmbeddedPostgres,
  type Log,
} from "../../core/catalog/index.ts";

export const silentLog: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A catalog in a database of its own. */
export interface TestCatalog extends Catalog {
  readonly cipher: Cipher;
  readonly databaseUrl: string;
  /** Closes the catalog and drops its database. */
  close(): Promise<void>;
}

const template = "manifold_template";

interface Server {
  readonly postgres: EmbeddedPostgres;
  readonly dataDir: string;
  urlOf(database: string): string;
  run(statement: string): Promise<void>;
}

let server: Promise<Server> | undefined;
let cipher: Cipher | undefined;

async function startServer(): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), "manifold-test-"));
  const postgres = await openEmbeddedPostgres({
    dataDir,
    log: silentLog,
    settings: { fsync: "off" },
  });
  const { host, port, user, password } = postgres.address;
  const urlOf = (database: string) =>
    `postgresql://${user}:${password}@${encodeURIComponent(host)}:${port}/${database}`;
  const run = async (statement: string) => {
    const knex = knexOf({
      client: "pg",
      connection: { ...postgres.address, database: "postgres" },
    });
    try {
      await knex.raw(statement);
    } finally {
      await knex.destroy();
    }
  };
  await run(`create database ${template}`);
  const first = await openCatalog({ databaseUrl: urlOf(template), dataDir, log: silentLog });
  await first.close();
  // Files of one run share the server; the process ends when nothing but it is left.
  process.once("beforeExit", () => {
    void postgres.close().then(() => rm(dataDir, { recursive: true, force: true }));
  });
  return { postgres, dataDir, urlOf, run };
}

/** Opens a fresh catalog on the one embedded server of this process, which is started at the first call. */
export async function openTestCatalog(): Promise<TestCatalog> {
  const { urlOf, run, dataDir } = await (server ??= startServer());
  const database = `test_${randomBytes(6).toString("hex")}`;
  await run(`create database ${database} template ${template}`);
  const databaseUrl = urlOf(database);
  const catalog = await openCatalog({ databaseUrl, dataDir, log: silentLog });
  return {
    ...catalog,
    cipher: (cipher ??= createCipher("a secret for tests only")),
    databaseUrl,
    async close() {
      await catalog.close();
      await run(`drop database if exists ${database} with (force)`);
    },
  };
}
