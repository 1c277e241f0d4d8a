import mysql from "mysql2/promise";
import { databaseName } from "./databaseName.ts";
import {
  findMariadb,
  installMariadb,
  type MariadbServer,
  openMariadbServer,
} from "./mariadbServer.ts";
import { sharedServer } from "./sharedServer.ts";
import { suite, type SuiteOptions, type Test } from "./suite.ts";

/** A separate database on a server, with a connection as a user that has all rights. */
export interface MariadbDatabase extends MariadbServer {
  readonly database: string;
  /** Runs a statement. Resolves to its rows as arrays of strings and numbers. */
  run(statement: string, values?: readonly unknown[]): Promise<readonly (readonly unknown[])[]>;
  /** Drops the database. */
  close(): Promise<void>;
}

let server: Promise<MariadbServer> | undefined;

async function ownServer(): Promise<MariadbServer> {
  const own = await openMariadbServer();
  // Test files in one process share the server. The process can exit even while the server is running.
  process.once("beforeExit", () => void own.close());
  return own;
}

/** Returns the run's server. Without the runner, returns a server that belongs to this process. */
function findMariadbServer(): Promise<MariadbServer> {
  return sharedServer.find?.("mariadb") ?? (server ??= ownServer());
}

/** Opens an empty database. By default, it uses the run's server. */
export async function openMariadbDatabase(given?: MariadbServer): Promise<MariadbDatabase> {
  const { host, port, user, password } = given ?? (await findMariadbServer());
  const database = databaseName();
  const connection = await mysql.createConnection({
    host,
    port,
    user,
    password,
    rowsAsArray: true,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    jsonStrings: true,
  });
  // The test may have killed the server.
  connection.on("error", () => undefined);
  // Many tests need rows that only a lax SQL mode accepts.
  await connection.query("set sql_mode = 'NO_BACKSLASH_ESCAPES', time_zone = '+00:00'");
  await connection.query(`create database ${database} character set utf8mb4`);
  await connection.query(`use ${database}`);
  return {
    host,
    port,
    user,
    password,
    database,
    async run(statement, values) {
      const [rows] =
        values === undefined
          ? await connection.query(statement)
          : await connection.execute(statement, [...values] as string[]);
      return Array.isArray(rows) ? (rows as unknown[][]) : [];
    },
    async close() {
      try {
        await connection.query(`drop database if exists ${database}`);
      } finally {
        connection.destroy();
      }
    },
  };
}

/** Options for a suite that needs a server. Without the program, all tests are skipped and the report says why. */
export const needsMariadb: SuiteOptions =
  findMariadb() === undefined ? { missing: `MariaDB (${installMariadb})` } : {};

export function mariadbSuite(name: string, declare: (test: Test) => void): void {
  suite(name, declare, needsMariadb);
}
