import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { createCipher, openCatalog, type Catalog, type Cipher } from "../../core/catalog/index.ts";
import { sharedServer } from "./sharedServer.ts";
import { openTestServer, runStatement, silentLog, urlOf, type TestServer } from "./testServer.ts";

export { silentLog } from "./testServer.ts";

/** A catalog in a database of its own. */
export interface TestCatalog extends Catalog {
  readonly cipher: Cipher;
  readonly databaseUrl: string;
  /** Closes the catalog and drops its database. */
  close(): Promise<void>;
}

let server: Promise<TestServer> | undefined;
let cipher: Cipher | undefined;

async function ownServer(): Promise<TestServer> {
  const own = await openTestServer();
  // Files of one process share the server; the process ends when nothing but it is left.
  process.once("beforeExit", () => void own.close());
  return own;
}

/** Opens a fresh catalog, on the run's server or, in a file that is run without the runner, on one of this process. */
export async function openTestCatalog(): Promise<TestCatalog> {
  server ??= sharedServer.find?.("postgres") ?? ownServer();
  const shared = await server;
  const database = `test_${randomBytes(6).toString("hex")}`;
  await runStatement(shared, `create database ${database} template ${shared.template}`);
  const databaseUrl = urlOf(shared, database);
  // The data folder is for an embedded server, which a given address replaces.
  const catalog = await openCatalog({ databaseUrl, dataDir: tmpdir(), log: silentLog });
  return {
    ...catalog,
    cipher: (cipher ??= createCipher("a secret for tests only")),
    databaseUrl,
    async close() {
      await catalog.close();
      await runStatement(shared, `drop database if exists ${database} with (force)`);
    },
  };
}
