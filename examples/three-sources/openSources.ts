import type { Client } from "@manifold-analytics/client";
import { columnsOf, type ColumnIds } from "../support/columnsOf.ts";
import type { AirportsServer } from "./openPostgres.ts";
import { servePlugin } from "./servePlugin.ts";

/** A dataset, and the ids of its columns by their names in the source. */
export interface ConnectedDataset {
  readonly id: string;
  readonly columns: ColumnIds;
}

/** The records of the sources, which are kept for the next start with the same data folder. */
export interface KeptSources {
  readonly pluginId: string;
  readonly secret: string;
  readonly accountId: string;
  /** The dataset over the table of airports in PostgreSQL. */
  readonly airports: ConnectedDataset;
  /** The dataset over the targets in the plugin. */
  readonly targets: ConnectedDataset;
}

export interface SourcesOptions {
  readonly postgres: AirportsServer;
  /** The loopback port on which the plugin listens. */
  readonly pluginPort: number;
  /**
   * The id of the dataset of flights in the store. Its column of departure airports is linked to the other two
   * datasets.
   */
  readonly flightsId: string;
  readonly kept?: KeptSources;
}

export interface OpenSources {
  readonly kept: KeptSources;
  close(): Promise<void>;
}

const slug = "targets";

/**
 * Serves the plugin, and connects the host to the plugin and to PostgreSQL. Creates a plugin record, two accounts, two
 * datasets and two links. If these records exist already, it only updates the addresses of the two servers.
 */
export async function openSources(client: Client, options: SourcesOptions): Promise<OpenSources> {
  const { postgres, pluginPort, flightsId, kept } = options;
  const { host, port, user, password, database } = postgres;
  const baseUrl = `http://127.0.0.1:${pluginPort}`;
  const members = { host, port, scope: database, identifier: user, token: password };
  if (kept) {
    await client.update("plugin", kept.pluginId, { base_url: baseUrl, new_secret: kept.secret });
    await client.update("account", kept.accountId, members);
    const served = await servePlugin(pluginPort, kept.secret);
    return { kept, close: () => served.close() };
  }
  const plugin = await client.create<{ id: string; secret: string }>("plugin", {
    slug,
    name: { en: "Targets" },
    base_url: baseUrl,
    protocol_version: "manifold-1",
    authorize: "none",
  });
  const served = await servePlugin(pluginPort, plugin.secret);
  const account = await client.create<{ id: string }>("account", {
    provider: "postgresql",
    name: "Airports",
    properties: { ssl: "disable" },
    ...members,
  });
  const ofPlugin = await client.create<{ id: string }>("account", {
    provider: slug,
    name: "Targets",
  });
  const airports = await addDataset(client, "postgresql", account.id, {
    tables: [{ schema: "public", table: "airports" }],
  });
  const targets = await addDataset(client, slug, ofPlugin.id, { datasets: ["targets"] });
  const { origin } = await columnsOf(client, flightsId);
  for (const id of [airports.columns["code"], targets.columns["airport"]])
    await client.associate("column", String(id), { role: "Joins", id: String(origin) });
  const { id: pluginId, secret } = plugin;
  return {
    kept: { pluginId, secret, accountId: account.id, airports, targets },
    close: () => served.close(),
  };
}

/** Creates a dataset from the first table or dataset that a connection lists. */
async function addDataset(
  client: Client,
  provider: string,
  accountId: string,
  wanted: Readonly<Record<string, unknown>>,
): Promise<ConnectedDataset> {
  const { data } = await client.create<{ data: { id: string }[] }>("dataprovider", {
    provider,
    account_id: accountId,
    ...wanted,
  });
  const id = String(data[0]?.id);
  return { id, columns: await columnsOf(client, id) };
}
