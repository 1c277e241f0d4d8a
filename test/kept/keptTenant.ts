import type { Client } from "../../core/web/client/index.ts";
import { columnOf, fillTenant, type FilledTenant } from "../core/operating/transfer/fillTenant.ts";
import { openLegacyPlugin, type LegacyPlugin } from "../support/legacyPlugin.ts";

export interface KeptTenant {
  readonly trips: FilledTenant["trips"];
  readonly live: FilledTenant["live"];
}

/** Opens the plugin that serves the live dataset of a kept tenant. */
export function openKeptPlugin(): Promise<LegacyPlugin> {
  const trips = {
    id: "public.trips",
    name: { en: "Trips" },
    columns: [{ id: "city", name: { en: "City" }, type: "hierarchy" }],
    rows: [["Ghent"], ["Lille"]],
  };
  return openLegacyPlugin({ version: "2.0.0", pushdown: false, datasets: [trips] });
}

/** Creates records of every kind in an organization. The host can have any version. */
export async function fillKeptTenant(client: Client, plugin: LegacyPlugin): Promise<KeptTenant> {
  const { trips, live } = await fillTenant(client, plugin.url);
  return { trips, live };
}

/** Returns the queries to which every version must give the same answers for a kept tenant. */
export function questionsOf({ trips, live }: KeptTenant) {
  const mention = (name: string) => ({ dataset_id: trips.id, column_id: columnOf(trips, name) });
  const total = { ...mention("km"), aggregation: { type: "sum" as const } };
  const perCity = {
    dimensions: [mention("city")],
    measures: [total],
    order: [{ ...mention("city"), order: "asc" as const }],
  };
  const all = [
    perCity,
    { dimensions: [mention("city"), mention("km"), mention("day")] },
    { dimensions: [{ ...mention("day"), level: 2 }], measures: [total, mention("at")] },
    {
      measures: [total],
      where: [{ expression: "? = ?", parameters: [mention("city"), "Ghent"] }],
    },
    {
      dimensions: [mention("city")],
      measures: [{ ...mention("km"), aggregation: { type: "average" } }],
      limit: { by: 1 },
    },
    { dimensions: [{ dataset_id: live.id, column_id: columnOf(live, "city") }] },
  ];
  return { total, perCity, all };
}

/** Sends all queries in one call and returns the cells of each answer. */
export async function answersOf(
  client: Client,
  queries: readonly object[],
): Promise<readonly unknown[]> {
  const answers = await client.get<readonly { readonly data: unknown }[]>("data", { queries });
  return answers.map(({ data }) => data);
}
