import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import type { ExampleDatabase } from "./exampleDatabase.ts";

const europe = "Europe & Central Asia";
const asia = "East Asia & Pacific";
const africa = "Sub-Saharan Africa";
/** Some of the 296 countries of the World Bank's API, in the format of that API. */
const countries = [
  ["Belgium", europe, "High income", "50.8371"],
  ["France", europe, "High income", "48.8566"],
  ["Ghana", africa, "Lower middle income", "5.57045"],
  ["Italy", europe, "High income", "41.8955"],
  ["Japan", asia, "High income", "35.67"],
  ["Kenya", africa, "Lower middle income", "-1.27975"],
  ["Mexico", "Latin America & Caribbean", "Upper middle income", "19.427"],
  ["Viet Nam", asia, "Lower middle income", "21.0069"],
  ["Spain", europe, "High income", "40.4167"],
  ["Rwanda", africa, "Low income", "-1.95325"],
] as const;

/**
 * Starts a local API that answers like `https://api.worldbank.org/v2/country`, so that the example needs no network.
 */
export async function openRecordedApi(): Promise<ExampleDatabase> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const size = Number(searchParams.get("per_page") ?? 50);
    const page = Number(searchParams.get("page") ?? 1);
    const rows = countries
      .slice((page - 1) * size, page * size)
      .map(([name, region, income, latitude]) => ({
        name,
        region: { value: region },
        incomeLevel: { value: income },
        latitude,
      }));
    const head = {
      page,
      pages: Math.ceil(countries.length / size),
      per_page: String(size),
      total: countries.length,
    };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify([head, rows]));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  const address = `127.0.0.1:${typeof bound === "object" ? bound?.port : bound}`;
  const api = await readFile(new URL("worldBank.json", import.meta.url), "utf8");
  return {
    account: { provider: "rest", host: `http://${address}`, properties: { api } },
    schema: "main",
    table: "countries",
    column: "region",
    address,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
