import pg from "pg";
import { open } from "../../../connectors/postgres/index.ts";
import { tableId } from "../../../plugins/sql/index.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import type { ConnectedSource } from "./connectedSource.ts";
import { createOrders } from "./orders.ts";

/** The table of orders in PostgreSQL behind the connector, and a separate connection of the same driver. */
export interface Orders extends ConnectedSource {
  readonly database: PostgresDatabase;
  readonly client: pg.Client;
  close(): Promise<void>;
}

/** Fills a new database with orders and opens it. */
export async function openOrders(rowCount: number): Promise<Orders> {
  const database = await openPostgresDatabase();
  await database.run(createOrders(rowCount));
  await database.run("vacuum analyze orders");
  const { host, port, user, password } = database.server;
  const client = new pg.Client({ host, port, user, password, database: database.database });
  await client.connect();
  await client.query("set timezone = 'UTC'");
  const plugin = await open({ reach: openReach(), timeoutMs: 600_000, sizeBytes: 2 ** 30 });
  return {
    database,
    client,
    plugin,
    credentials: database.credentials,
    datasetId: tableId({ schema: "public", name: "orders" }),
    async close() {
      await plugin.close?.();
      await client.end();
      await database.close();
    },
  };
}
