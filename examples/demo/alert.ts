import type { Host } from "@manifold-analytics/host";
import type { Client } from "@manifold-analytics/client";
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

/** The weeks for which the alert is evaluated. All flights are from 2001. */
const [from, to] = ["2001-01-08T00:00:00.000Z", "2001-07-02T00:00:00.000Z"];

/**
 * Creates an alert on weeks in which flights were more than ten minutes late, or finds the alert that an earlier start
 * created. Because the flights are from 2001, no scheduled evaluation would cover them. The function therefore
 * evaluates each week of 2001, as of that week, and records the results in the ledger. Then it runs a backtest, and
 * prints when the alert would have notified somebody.
 */
export async function makeAlert(
  host: Pick<Host, "fillLedger">,
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
    options: { from, to, run: true },
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
  const past = { alertId: id, fromMs: Date.parse(from), toMs: Date.parse(to) };
  const filled = await host.fillLedger(past);
  process.stdout.write(
    `\n  Its ledger contains these ${filled} weeks, each evaluated as of that week.\n`,
  );
  return id;
}
