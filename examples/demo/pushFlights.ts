import type { Client } from "manifold/client";
import { flightCount, header, readFlights } from "../support/flights.ts";

const rowsPerCall = 10_000;

interface DatasetRecord {
  readonly id: string;
  readonly name: { readonly en?: string };
  readonly rows: number;
}

const name = { en: "Flights 2001" };

async function findFlights(client: Client): Promise<DatasetRecord | undefined> {
  const { rows } = await client.get<{ rows: DatasetRecord[] }>("securable", {
    where: { type: "dataset", subtype: "api" },
    attributes: ["id", "name", "rows"],
  });
  return rows.find((row) => row.name.en === name.en);
}

function drawBar(count: number, startedAt: number, from: number): void {
  const share = count / flightCount;
  const seconds = (performance.now() - startedAt) / 1000;
  const bar = "█".repeat(Math.round(share * 30)).padEnd(30, "░");
  const perSecond = Math.round((count - from) / Math.max(seconds, 0.001));
  const text = `  ${bar} ${count.toLocaleString("en")} rows, ${perSecond.toLocaleString("en")} rows/s`;
  if (process.stdout.isTTY) process.stdout.write(`\r${text}   `);
  else if (count % 500_000 === 0) process.stdout.write(`${text}\n`);
}

/**
 * Pushes the three million flights through `data create`, 10,000 rows per call, and resolves to the id of the dataset.
 * Skips rows that an earlier start has already pushed.
 */
export async function pushFlights(client: Client): Promise<string> {
  const found = await findFlights(client);
  if (found?.rows === flightCount) {
    process.stdout.write(`The ${flightCount.toLocaleString("en")} flights already exist.\n`);
    return found.id;
  }
  process.stdout.write(
    `Pushing ${flightCount.toLocaleString("en")} flights, ${rowsPerCall.toLocaleString("en")} per call\n`,
  );
  let id = found?.id;
  const from = found?.rows ?? 0;
  let count = from;
  const startedAt = performance.now();
  for await (const data of readFlights(from, rowsPerCall)) {
    if (id) await client.create("data", { type: "append", securable_id: id, data });
    else {
      const answer = await client.create<{ rows: DatasetRecord[] }>("data", {
        type: "create",
        data,
        options: { header, name, update_metadata: true },
      });
      id = answer.rows[0]?.id;
    }
    count += data.length;
    drawBar(count, startedAt, from);
  }
  process.stdout.write(`\n  took ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
  if (!id) throw new Error("no flights were read");
  return id;
}
