import type { Client } from "@manifold-analytics/client";
import type { ColumnIds } from "../support/columnsOf.ts";
import { type Cell, table } from "../support/table.ts";

export interface Question {
  readonly title: string;
  readonly header: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
}

/** Returns four questions that a person would ask about the flights. */
export function flightQuestions(datasetId: string, columns: ColumnIds): Question[] {
  const reference = (name: string) => ({ dataset_id: datasetId, column_id: columns[name] });
  const flights = { dataset_id: datasetId, column_id: "*", aggregation: { type: "count" } };
  const averageDelay = { ...reference("delay"), aggregation: { type: "average" } };
  const destinations = { ...reference("destination"), aggregation: { type: "distinctcount" } };
  const month = { ...reference("date"), level: 3 };
  return [
    {
      title: "How late are flights, month by month?",
      header: ["month", "average delay (min)", "flights"],
      query: {
        dimensions: [month],
        measures: [averageDelay, flights],
        order: [{ ...month, order: "asc" }],
      },
    },
    {
      title: "Which ten airports are worst on average?",
      header: ["origin", "average delay (min)", "flights"],
      query: {
        dimensions: [reference("origin")],
        measures: [averageDelay, flights],
        having: [{ expression: "? > ?", parameters: [flights, 1000] }],
        order: [{ ...averageDelay, order: "desc" }],
        limit: { by: 10 },
      },
    },
    {
      title: "When do flights leave from San Francisco to Los Angeles?",
      header: ["hour of the day", "flights", "average delay (min)"],
      query: {
        dimensions: [reference("hour")],
        measures: [flights, averageDelay],
        where: [
          { expression: "? = ?", parameters: [reference("origin"), "SFO"] },
          { expression: "? = ?", parameters: [reference("destination"), "LAX"] },
        ],
        order: [{ ...reference("hour"), order: "asc" }],
      },
    },
    {
      title: "From which airport can you reach the most places?",
      header: ["origin", "destinations"],
      query: {
        dimensions: [reference("origin")],
        measures: [destinations],
        order: [{ ...destinations, order: "desc" }],
        limit: { by: 10 },
      },
    },
  ];
}

/**
 * Returns a query for the dataset of the example plugin. The plugin returns all rows, and the host filters, groups and
 * sorts them.
 */
export function pluginQuestion(datasetId: string, columns: ColumnIds): Question {
  const reference = (name: string) => ({ dataset_id: datasetId, column_id: columns[name] });
  const passengers = { ...reference("passengers"), aggregation: { type: "sum" } };
  return {
    title: "Which airports in the plugin's data are the busiest?",
    header: ["city", "passengers (millions)"],
    query: {
      dimensions: [reference("city")],
      measures: [passengers],
      order: [{ ...passengers, order: "desc" }],
      limit: { by: 5 },
    },
  };
}

/** Runs a query, and prints its answer as a table, with the time that the query took, including HTTP and JSON. */
export async function printAnswer(
  client: Client,
  { title, header, query }: Question,
): Promise<void> {
  const startedAt = performance.now();
  const { data } = await client.get<{ data: Cell[][] }>("data", { queries: [query] });
  const durationMs = performance.now() - startedAt;
  if (data.length === 0) throw new Error(`no answer to: ${title}`);
  process.stdout.write(`\n${title}   (${durationMs.toFixed(0)} ms)\n\n${table(header, data)}\n`);
}
