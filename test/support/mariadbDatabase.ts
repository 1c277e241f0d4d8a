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

/** A database of its own on a server, and a connection of the user that may do everything. */
export interface MariadbDatabase extends MariadbServer {
  readonly database: string;
  /** Runs a statement; answers its rows as arrays of texts and numbers. */
  run(statement: string, values?: readonly unknown[]): Promise<readonly (readonly unknown[])[]>;
  /** Drops the database. */
  close(): Promise<void>;
}

let server: Promise<MariadbServer> | undefined;

async function ownServer(): Promise<MariadbServer> {
  const own = await openMariadbServer();
  // Files of one process share the server; the process ends when nothing but it is left.
  process.once("beforeExit", () => void own.close());
  return own;
}

/** Finds the server of the run or, in a file that is run without the runner, one of this process. */
function findMariadbServer(): Promise<MariadbServer> {
  return sharedServer.find?.("mariadb") ?? (server ??= ownServer());
}

/** Opens a fresh database, on the run's server unless another is given. */
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
  // The server may be killed by the test.
  connection.on("error", () => undefined);
  // Rows that only a lax mode lets in are the point of many tests.
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

/** Options of a suite that needs a server: without its program every test is skipped, and the run says so. */
export const needsMariadb: SuiteOptions =
  findMariadb() === undefined ? { missing: `MariaDB (${installMariadb})` } : {};

export function mariadbSuite(name: string, declare: (test: Test) => void): void {
  suite(name, declare, needsMariadb);
}
