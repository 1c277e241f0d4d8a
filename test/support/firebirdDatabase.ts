import { createRequire } from "node:module";
import { join } from "node:path";
import { databaseName } from "./databaseName.ts";
import { findPackages } from "./findPackages.ts";
import {
  type FirebirdServer,
  hasFirebird,
  installFirebird,
  openFirebirdServer,
} from "./firebirdServer.ts";
import type { SuiteOptions } from "./suite.ts";

/** A separate database on a server, and a connection to it as a user with all rights. */
export interface FirebirdDatabase extends Pick<
  FirebirdServer,
  "host" | "port" | "user" | "password"
> {
  readonly path: string;
  /** Runs a statement in a separate transaction. Returns the rows of the statement as arrays. */
  run(statement: string, values?: readonly unknown[]): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

/** The members of the driver that tests use. The driver's own types are installed only together with the example. */
interface Driver {
  attachOrCreate(
    options: object,
    callback: (failure: Error | undefined, connection: DriverConnection) => void,
  ): void;
}

interface DriverConnection {
  executeAsync(
    text: string,
    values: unknown[],
  ): Promise<readonly (readonly unknown[])[] | undefined>;
  detachAsync(): Promise<void>;
}

let server: Promise<FirebirdServer> | undefined;

async function ownServer(): Promise<FirebirdServer> {
  const own = await openFirebirdServer();
  process.once("beforeExit", () => void own.close());
  return own;
}

/** Opens an empty database, by default on a server that belongs to this process. */
export async function openFirebirdDatabase(given?: FirebirdServer): Promise<FirebirdDatabase> {
  const packages = await findPackages("firebird");
  const driver = createRequire(join(packages, "x"))("node-firebird") as Driver;
  const { host, port, user, password, folder } = given ?? (await (server ??= ownServer()));
  const path = join(folder, `${databaseName()}.fdb`);
  const attached = Promise.withResolvers<DriverConnection>();
  const options = {
    host,
    port,
    user,
    password,
    database: path,
    encoding: "UTF8",
    pageSize: 16_384,
  };
  driver.attachOrCreate(options, (failure, made) =>
    failure ? attached.reject(failure) : attached.resolve(made),
  );
  const connection = await attached.promise;
  return {
    host,
    port,
    user,
    password,
    path,
    run: async (statement, values = []) => {
      const rows = await connection.executeAsync(statement, [...values]);
      return Array.isArray(rows) ? rows : [];
    },
    close: () => connection.detachAsync().catch(() => undefined),
  };
}

/** Options for a suite that needs a server. Without the programs, all tests are skipped and the report says why. */
export const needsFirebird: SuiteOptions = hasFirebird()
  ? {}
  : { missing: `Firebird (${installFirebird})` };
