import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { createCipher, openCatalog, type Catalog, type Cipher } from "../../core/catalog/index.ts";
import { openAdministration, type Administration } from "./administration.ts";
import { findTestServer } from "./findTestServer.ts";
import { silentLog, urlOf } from "./testServer.ts";

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

/** Opens a fresh catalog, on the run's server or, in a file that is run without the runner, on one of this process. */
export async function openTestCatalog(): Promise<TestCatalog> {
  const server = await findTestServer();
  const { run } = await (administration ??= openAdministration(server));
  const database = `test_${randomBytes(6).toString("hex")}`;
  // A copy of files needs no log, and brings the template's cache of system tables.
  await run(`create database ${database} template ${server.template} strategy file_copy`);
  const databaseUrl = urlOf(server, database);
  // The data folder is for an embedded server, which a given address replaces.
  const catalog = await openCatalog({ databaseUrl, dataDir: tmpdir(), log: silentLog });
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

/** Makes a database without tables, on the run's server. */
export async function openEmptyDatabase(): Promise<{
  readonly databaseUrl: string;
  close(): Promise<void>;
}> {
  const server = await findTestServer();
  const { run } = await (administration ??= openAdministration(server));
  const database = `test_${randomBytes(6).toString("hex")}`;
  await run(`create database ${database} template template0`);
  return {
    databaseUrl: urlOf(server, database),
    close: () => run(`drop database if exists ${database} with (force)`),
  };
}
