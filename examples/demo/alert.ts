import type { Client } from "manifold/client";
import type { ColumnIds } from "../support/columnsOf.ts";

interface Told {
  readonly slot_count: number;
  readonly query_count: number;
  readonly notified_count: number;
  readonly slots: readonly {
    readonly slot_at: string;
    readonly status_after: string;
    readonly notices: readonly unknown[];
    readonly data: readonly (readonly number[])[];
  }[];
}

const name = "Late weeks";

/**
 * Makes an alert on weeks in which flights were more than ten minutes late, or finds the one of an earlier start, and
 * prints when it would have told somebody in 2001: a backtest, since the flights are older than any evaluation.
 */
export async function makeAlert(
  client: Client,
  datasetId: string,
  columns: ColumnIds,
): Promise<string> {
  const delay = {
    dataset_id: datasetId,
    column_id: columns["delay"],
    aggregation: { type: "average" },
  };
  const date = { dataset_id: datasetId, column_id: columns["date"] };
  const found = await client.get<{ rows: { id: string; name: { en?: string } }[] }>("alert", {
    attributes: ["id", "name"],
  });
  const known = found.rows.find((row) => row.name.en === name);
  const { id } =
    known ??
    (await client.create<{ id: string }>("alert", {
      name: { en: name },
      frequency: { unit: "week", quantity: 1 },
      notify: "change",
      query: {
        measures: [delay],
        where: [{ expression: "last_completed", parameters: [date, { unit: 4, quantity: 1 }] }],
        having: [{ expression: "? > ?", parameters: [delay, 10] }],
        options: { timezone_id: "UTC" },
      },
    }));
  const startedAt = performance.now();
  const told = await client.backtest<Told>({
    id,
    options: { from: "2001-01-08T00:00:00.000Z", to: "2001-07-02T00:00:00.000Z", run: true },
  });
  const durationMs = performance.now() - startedAt;
  const lines = told.slots.map(({ slot_at: at, status_after: status, data }) => {
    const minutes = data[0]?.[0];
    const shown = minutes === undefined ? "" : `, ${minutes.toFixed(1)} minutes`;
    return `  ${at.slice(0, 10)}  ${status}${shown}`;
  });
  process.stdout.write(
    `\nThe alert "${name}" over 2001: ${told.slot_count} weeks, ${told.query_count} ` +
      `${told.query_count === 1 ? "query" : "queries"}   (${durationMs.toFixed(0)} ms)\n\n` +
      `${lines.join("\n")}\n`,
  );
  return id;
}
