import { tmpdir } from "node:os";
import { createCipher, openCatalog, type Catalog, type Cipher } from "../../core/catalog/index.ts";
import { openAdministration, type Administration } from "./administration.ts";
import { databaseName } from "./databaseName.ts";
import { findTestServer } from "./findTestServer.ts";
import { silentLog, type TestServer, urlOf } from "./testServer.ts";

export { silentLog } from "./testServer.ts";

/** A catalog in a database of its own. */
export interface TestCatalog extends Catalog {
  readonly cipher: Cipher;
  readonly databaseUrl: string;
  /** Closes the catalog and drops its database. */
  close(): Promise<void>;
}

let cipher: Cipher | undefined;
let administration: Promise<Administration> | undefined;

/** A database of a test. */
interface TestDatabase {
  readonly databaseUrl: string;
  /** Drops it. */
  close(): Promise<void>;
}

/** Makes a database with an empty catalog, on the run's server or, without the runner, on one of this process. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const server = await findTestServer();
  // A copy of files needs no log, and brings the template's cache of system tables.
  return createDatabase(server, `${server.template} strategy file_copy`);
}

/** Makes a database without tables, on the run's server. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(await findTestServer(), "template0");
}

async function createDatabase(server: TestServer, template: string): Promise<TestDatabase> {
  const { run } = await (administration ??= openAdministration(server));
  const database = databaseName();
  await run(`create database ${database} template ${template}`);
  return {
    databaseUrl: urlOf(server, database),
    close: () => run(`drop database if exists ${database} with (force)`),
  };
}

/** Opens a fresh catalog, in a database of its own. */
export async function openTestCatalog(): Promise<TestCatalog> {
  const database = await openTestDatabase();
  const { databaseUrl } = database;
  // The data folder is for an embedded server, which a given address replaces.
  const catalog = await openCatalog({ databaseUrl, dataDir: tmpdir(), log: silentLog });
  return {
    ...catalog,
    cipher: (cipher ??= createCipher("a secret for tests only")),
    databaseUrl,
    async close() {
      await catalog.close();
      await database.close();
    },
  };
}
