import {
  findClickhouse,
  openClickhouseServer,
  type ClickhouseServer,
  type ClickhouseUser,
} from "./clickhouseServer.ts";
import { databaseName } from "./databaseName.ts";
import { sharedServer } from "./sharedServer.ts";
import { suite, type SuiteOptions, type Test } from "./suite.ts";

/** A separate database on a real ClickHouse server. */
export interface ClickhouseDatabase extends ClickhouseServer {
  readonly database: string;
  /** Runs a statement in the database as the administrator. Resolves to the server's output. */
  run(statement: string): Promise<string>;
  /** Drops the database. */
  close(): Promise<void>;
}

/** Time limit of a statement in milliseconds. If a statement takes longer, the server is assumed to have stopped. */
const statementMs = 60_000;

let server: Promise<ClickhouseServer> | undefined;

async function ownServer(): Promise<ClickhouseServer> {
  const own = await openClickhouseServer();
  // Test files in one process share the server. The process can exit even while the server is running.
  process.once("beforeExit", () => void own.close());
  return own;
}

/** Opens a database on the run's server. Without the runner, the server belongs to this process. */
export async function openClickhouseDatabase(on?: ClickhouseServer): Promise<ClickhouseDatabase> {
  const shared = on ?? (await (sharedServer.find?.("clickhouse") ?? (server ??= ownServer())));
  const database = databaseName();
  await runStatement(shared, `create database ${database}`);
  return {
    ...shared,
    database,
    run: (statement) => runStatement(shared, statement, database),
    close: async () => void (await runStatement(shared, `drop database ${database} sync`)),
  };
}

/** Runs a statement without a client library. Throws an error with the server's message. */
export async function runStatement(
  { host, port, admin }: ClickhouseServer,
  statement: string,
  database = "default",
  user: ClickhouseUser = admin,
): Promise<string> {
  const query = new URLSearchParams({ database });
  const response = await fetch(`http://${host}:${port}/?${query.toString()}`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from(`${user.name}:${user.password}`).toString("base64")}`,
    },
    body: statement,
    signal: AbortSignal.timeout(statementMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${text.trim()}\n${statement}`);
  return text;
}

/**
 * Options for a suite that needs a server. Importing this module installs the server's library. If that fails, all
 * tests of the suite are skipped, and the report says why.
 */
export const needsClickhouse: SuiteOptions = await findClickhouse().then(
  () => ({}),
  (failure: unknown) => {
    const [reason = ""] = String((failure as Error).message).split("\n");
    return { missing: `ClickHouse (${reason})` };
  },
);

/** Declares a suite that needs a ClickHouse server. */
export function clickhouseSuite(name: string, declare: (test: Test) => void): void {
  suite(name, declare, needsClickhouse);
}
