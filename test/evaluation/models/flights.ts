import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Cell, DataModel } from "./dataModel.ts";

/**
 * The first row of each selected part of the demo's flights. The parts cover different months, days of the week and
 * hours.
 */
const starts = [207_000, 761_000, 1_303_000, 1_858_000, 2_407_000] as const;

/**
 * Reads some of the demo's flights, from several parts of the year. `count` is the number of flights per part. DuckDB
 * decodes the rows, because it reads a few rows of a row group in a tenth of the time that a JavaScript reader needs.
 */
export async function makeFlights(count = 480): Promise<DataModel> {
  const path = fileURLToPath(
    new URL("../data/flights-3m.parquet", import.meta.resolve("vega-datasets")),
  );
  const instance = await DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  const rows: (readonly Cell[])[] = [];
  try {
    for (const start of starts) {
      const part = await connection.runAndReadAll(
        `select strftime(date, '%Y-%m-%dT%H:%M:%S.%gZ'), hour(date)::double, delay::double, distance::double,
           origin, destination
         from read_parquet('${path.replaceAll("'", "''")}') limit ${count} offset ${start}`,
      );
      rows.push(...(part.getRows() as Cell[][]));
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
  return {
    name: "flights",
    links: [],
    formulas: [
      {
        name: "lateShare",
        table: "flights",
        title: "Share of late flights",
        description: "Flights with a delay of more than 15 minutes divided by all, from 0 to 1.",
        expression: "count(if({flights.delay} > 15, 1)) / countr()",
      },
    ],
    tables: [
      {
        name: "flights",
        title: "Flights 2001",
        description: "One row for each flight within the United States, in some weeks of 2001.",
        columns: [
          { name: "date", type: "datetime", title: "Departure" },
          { name: "hour", type: "number", title: "Hour of departure", description: "0 to 23." },
          {
            name: "delay",
            type: "number",
            title: "Delay",
            description: "In minutes; negative when the flight is early.",
          },
          { name: "distance", type: "number", title: "Distance", description: "In miles." },
          { name: "origin", type: "text", title: "Origin", context: "code of the airport" },
          {
            name: "destination",
            type: "text",
            title: "Destination",
            context: "code of the airport",
          },
        ],
        rows,
      },
    ],
  };
}
