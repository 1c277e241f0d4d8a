import { tmpdir } from "node:os";
import { createCipher, openCatalog, type Catalog, type Cipher } from "../../core/catalog/index.ts";
import { openAdministration, type Administration } from "./administration.ts";
import {
  createEmptiedDatabase,
  readPristine,
  type EmptiedDatabase,
  type Pristine,
} from "./createEmptiedDatabase.ts";
import { databaseName } from "./databaseName.ts";
import { findTestServer } from "./findTestServer.ts";
import { keepSessions } from "./keepSessions.ts";
import { sharedServer } from "./sharedServer.ts";
import { silentLog, type TestServer, urlOf } from "./testServer.ts";

export { silentLog } from "./testServer.ts";

/** A catalog in a separate database. */
export interface TestCatalog extends Catalog {
  readonly cipher: Cipher;
  readonly databaseUrl: string;
  /** Closes the catalog and releases its database. */
  close(): Promise<void>;
}

let cipher: Cipher | undefined;
let administration: Promise<Administration> | undefined;

/** A database for one test. */
interface TestDatabase {
  readonly databaseUrl: string;
  /** Ends the sessions of the database and releases it. */
  close(): Promise<void>;
}

interface RecycledDatabase extends TestDatabase, EmptiedDatabase {
  readonly database: string;
}

let pristine: Promise<Pristine> | undefined;
/** Databases of this process that no test uses at present, each with an empty catalog. */
const free: RecycledDatabase[] = [];

async function createRecycled(): Promise<RecycledDatabase> {
  const server = await findTestServer();
  // Copying the template's files needs no write-ahead log, and also copies its cache of system tables.
  const made = await createDatabase(server, `${server.template} strategy file_copy`);
  const own = await openAdministration(server, made.database);
  const sessions = keepSessions(made.database);
  return {
    ...made,
    ...(await createEmptiedDatabase(own, {
      pristine: await (pristine ??= readPristine(own)),
      sessions,
    })),
    async close() {
      sessions.close();
      await made.close();
    },
  };
}

/**
 * Opens a database with an empty catalog on the run's server. Without the runner, the server belongs to this process.
 * After the test the database is emptied for the next test, or dropped if its structure has changed.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const recycled = free.pop() ?? (await createRecycled());
  sharedServer.noteDatabase?.(recycled.database);
  let isOpen = true;
  return {
    databaseUrl: recycled.databaseUrl,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      if (await recycled.empty().catch(() => false)) free.push(recycled);
      else await recycled.close();
    },
  };
}

/** Creates a database without tables on the run's server. */
export async function openEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(await findTestServer(), "template0");
}

async function createDatabase(
  server: TestServer,
  template: string,
): Promise<TestDatabase & { readonly database: string }> {
  const { run } = await (administration ??= openAdministration(server));
  const database = databaseName();
  sharedServer.noteDatabase?.(database);
  await run(`create database ${database} template ${template}`);
  return {
    database,
    databaseUrl: urlOf(server, database),
    close: async () => {
      await run(`drop database if exists ${database} with (force)`);
    },
  };
}

/** Opens an empty catalog in a separate database. */
export async function openTestCatalog(): Promise<TestCatalog> {
  const database = await openTestDatabase();
  const { databaseUrl } = database;
  // Only an embedded server uses the data folder, and the given address replaces the embedded server here.
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
