import { forwardSocket } from "../support/forwardSocket.ts";
import { openPostgresDatabase } from "../support/postgresDatabase.ts";

/** A database for the examples, as variables of their environment. */
export interface ExamplePostgres {
  readonly environment: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Opens a database of the run's server on a loopback port, so that an example does not start its own. */
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
