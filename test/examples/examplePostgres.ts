import { forwardSocket } from "../support/forwardSocket.ts";
import { openPostgresDatabase } from "../support/postgresDatabase.ts";

/** A database for the examples, and the environment variables that make an example use it. */
export interface ExamplePostgres {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Opens a database on the run's server through a loopback port, so that the example does not have to start a server.
 */
export async function openExamplePostgres(): Promise<ExamplePostgres> {
  const database = await openPostgresDatabase();
  const { host, port, user, password } = database.server;
  const forwarded = await forwardSocket(`${host}/.s.PGSQL.${port}`);
  const address = new URL(`postgres://${forwarded.host}:${forwarded.port}/${database.database}`);
  address.username = user;
  address.password = password;
  return {
    environment: { MANIFOLD_EXAMPLE_POSTGRES: address.href },
    async close() {
      await forwarded.close();
      await database.close();
    },
  };
}
