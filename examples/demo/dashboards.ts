import type { Client } from "@manifold-analytics/client";
import type { ColumnIds } from "../support/columnsOf.ts";

type Json = Readonly<Record<string, unknown>>;

/** A dashboard of the demo. */
interface Board {
  readonly name: string;
  readonly contents: Json;
}

/** A position on the dashboard's grid. The grid has 48 columns, and its rows are 16 pixels high. */
type GridPosition = readonly [col: number, row: number, sizeX: number, sizeY: number];

interface DatasetColumns {
  readonly datasetId: string;
  readonly columns: ColumnIds;
}

const whole = ",.0f";
const tenth = ",.1f";
/** The charts end at this date, because the data contain only six flights after it, all in July. */
const firstOfJuly = "2001-07-01T00:00:00.000Z";

/** Returns functions that create the dashboard items of a dataset. */
function itemsOver({ datasetId, columns }: DatasetColumns) {
  const field = (column: string, label: string, type: string, more: Json = {}): Json => ({
    datasetId,
    columnId: columns[column],
    label: { en: label },
    type,
    ...more,
  });
  const slot = (name: string, ...content: readonly Json[]) => ({ name, content });
  const item = (
    type: string,
    position: GridPosition,
    title: string,
    slots: readonly Json[],
    more: Json = {},
  ) => {
    const [col, row, sizeX, sizeY] = position;
    return {
      id: title.toLowerCase().replaceAll(/[^a-z]+/g, "-"),
      type,
      position: { col, row, sizeX, sizeY },
      options: { title: { en: title }, ...more },
      slots,
    };
  };
  /** Returns a filter for the dashboard or for one of its items. */
  const filter = (column: string, expression: string, value: unknown, of: Json = {}): Json => {
    const { itemId, aggregation } = of;
    const reference = {
      datasetId,
      columnId: columns[column],
      ...(aggregation ? { aggregation } : {}),
    };
    const type = aggregation ? "having" : "where";
    return {
      origin: itemId ? "itemFilter" : "global",
      ...(itemId ? { itemId } : {}),
      datasetId,
      condition: "and",
      filters: [{ expression, parameters: [reference, value], properties: { type } }],
      subGroups: [],
    };
  };
  return { field, slot, item, filter };
}

function boardOf(name: string, items: readonly Json[], filterGroups: readonly Json[] = []): Board {
  const options = { columns: 48, rowHeight: 16 };
  return {
    name,
    contents: {
      version: "0.1.99",
      timezone: { type: "fixed", id: "UTC" },
      parameters: [],
      datasetLinks: {},
      views: [{ screenModus: "desktop", options, items, filterGroups }],
    },
  };
}

/** Returns a dashboard about the whole year: the number of flights, their delays, and the months that differ. */
function yearOfFlights(flights: DatasetColumns): Board {
  const { field, slot, item, filter } = itemsOver(flights);
  const count = {
    ...field("delay", "Flights", "numeric", { format: whole }),
    aggregationFunc: "count",
  };
  const delay = field("delay", "Delay", "numeric", { format: tenth, aggregationFunc: "average" });
  const distance = field("distance", "Distance", "numeric", {
    format: whole,
    aggregationFunc: "average",
  });
  const month = field("date", "Month", "datetime", { level: 3, format: "%B %Y" });
  const week = field("date", "Week", "datetime", { level: 4, format: "%-d %b" });
  const origin = field("origin", "Origin", "hierarchy");
  const destination = field("destination", "Destination", "hierarchy");
  const top = (number: number) => ({ limit: { number } });
  return boardOf(
    "Flights in the United States",
    [
      item("evolution-number", [0, 0, 16, 9], "Flights per month", [
        slot("measure", count),
        slot("evolution", month),
      ]),
      item(
        "evolution-number",
        [16, 0, 16, 9],
        "Average delay, minutes",
        [slot("measure", delay), slot("evolution", month)],
        { evolutionColor: "inverse" },
      ),
      item("evolution-number", [32, 0, 16, 9], "Average distance, miles", [
        slot("measure", distance),
        slot("evolution", month),
      ]),
      item("line-chart", [0, 9, 32, 22], "Delays peaked in late February and in June", [
        slot("x-axis", week),
        slot("measure", delay),
      ]),
      item(
        "bar-chart",
        [32, 9, 16, 22],
        "Ten busiest airports, flights",
        [slot("y-axis", origin), slot("measure", count)],
        top(10),
      ),
      item("column-chart", [0, 31, 24, 20], "Flights per month: fewest in February", [
        slot("x-axis", month),
        slot("measure", count),
      ]),
      item("column-chart", [24, 31, 24, 20], "Three in four flights are shorter than 1,000 miles", [
        slot(
          "x-axis",
          field("distance", "Miles", "numeric", {
            bins: { enabled: true, number: 15 },
            format: whole,
          }),
        ),
        slot("measure", count),
      ]),
      item(
        "treemap-chart",
        [0, 51, 24, 22],
        "Where flights go",
        [slot("category", destination), slot("measure", count)],
        top(30),
      ),
      item(
        "regular-table",
        [24, 51, 24, 22],
        "Destinations by flights",
        [slot("columns", destination, count, delay, distance)],
        {
          cells: { bars: true },
          sort: { by: "measure", direction: "desc" },
          ...top(12),
        },
      ),
    ],
    [filter("date", "? < ?", firstOfJuly)],
  );
}

/** Returns a dashboard about the hours of the day: when flights are delayed, and where delays are worst. */
function dayOfFlights(flights: DatasetColumns): Board {
  const { field, slot, item, filter } = itemsOver(flights);
  const count = {
    ...field("delay", "Flights", "numeric", { format: whole }),
    aggregationFunc: "count",
  };
  const delay = field("delay", "Delay", "numeric", { format: tenth, aggregationFunc: "average" });
  const distance = field("distance", "Distance", "numeric", {
    format: whole,
    aggregationFunc: "average",
  });
  const hour = field("hour", "Hour", "hierarchy", { format: whole });
  const byHour = { sort: { by: "category", direction: "asc" } };
  const month = field("date", "Month", "datetime", { level: 3, format: "%b" });
  const origin = field("origin", "Origin", "hierarchy");
  const top = (number: number) => ({ limit: { number } });
  return boardOf(
    "Delays through the day",
    [
      item(
        "column-chart",
        [0, 0, 32, 24],
        "Delays grow from morning to evening, minutes",
        [slot("x-axis", hour), slot("measure", delay)],
        byHour,
      ),
      item(
        "bar-chart",
        [32, 0, 16, 24],
        "Late on average, minutes",
        [slot("y-axis", origin), slot("measure", delay)],
        top(12),
      ),
      item("heat-table", [0, 24, 28, 30], "Delay by hour and month, minutes", [
        slot("y-axis", hour),
        slot("x-axis", month),
        slot("measure", delay),
      ]),
      item(
        "scatter-plot",
        [28, 24, 20, 30],
        "Airports by flights and delay",
        [slot("x-axis", count), slot("y-axis", delay), slot("name", origin)],
        top(200),
      ),
      item(
        "donut-chart",
        [0, 54, 16, 20],
        "Flights of five airports",
        [slot("category", origin), slot("measure", count)],
        top(5),
      ),
      item(
        "regular-table",
        [16, 54, 32, 20],
        "Airports",
        [slot("columns", origin, count, delay, distance)],
        {
          cells: { bars: true },
          sort: { by: "measure", direction: "desc" },
          ...top(12),
        },
      ),
    ],
    [
      filter("date", "? < ?", firstOfJuly),
      filter("hour", "? >= ?", 5),
      filter("delay", "? > ?", 20_000, {
        itemId: "late-on-average-minutes",
        aggregation: { type: "count" },
      }),
      filter("delay", "? > ?", 5_000, {
        itemId: "airports-by-flights-and-delay",
        aggregation: { type: "count" },
      }),
    ],
  );
}

/** Returns a dashboard over a live source, the example plugin. */
function airportsOfPlugin(airports: DatasetColumns): Board {
  const { field, slot, item } = itemsOver(airports);
  const passengers = field("passengers", "Passengers, millions", "numeric", {
    format: tenth,
    aggregationFunc: "sum",
  });
  const count = {
    ...field("passengers", "Airports", "numeric", { format: whole }),
    aggregationFunc: "count",
  };
  const city = field("city", "City", "hierarchy");
  const decade = field("opened", "Year", "datetime", { subtype: "date", level: 1, format: "%Y" });
  return boardOf("Airports, live from a plugin", [
    item("evolution-number", [0, 0, 12, 10], "Passengers, millions", [slot("measure", passengers)]),
    item("evolution-number", [0, 10, 12, 10], "Airports", [slot("measure", count)]),
    item(
      "bar-chart",
      [12, 0, 36, 20],
      "Passengers by city, millions",
      [slot("y-axis", city), slot("measure", passengers)],
      { limit: { number: 10 } },
    ),
    item(
      "column-chart",
      [0, 20, 24, 20],
      "Passengers today, by the year in which their airport opened",
      [slot("x-axis", decade), slot("measure", passengers)],
    ),
    item(
      "regular-table",
      [24, 20, 24, 20],
      "All airports",
      [slot("columns", field("code", "Code", "hierarchy"), city, passengers)],
      {
        cells: { bars: true },
        sort: { by: "measure", direction: "desc" },
      },
    ),
  ]);
}

/** Returns the dashboards of the demo: two over the flights, one over the plugin. */
function demoBoards(sources: {
  readonly flights: DatasetColumns;
  readonly airports: DatasetColumns;
}): Board[] {
  const { flights, airports } = sources;
  return [yearOfFlights(flights), dayOfFlights(flights), airportsOfPlugin(airports)];
}

/** A dashboard that exists on the host, with the key of its private link. */
interface MadeBoard {
  readonly name: string;
  readonly id: string;
  readonly shareId: string;
}

/**
 * Creates the dashboards, or updates the dashboards that an earlier start created. Makes the dashboards and their
 * datasets readable through private links.
 */
export async function makeBoards(
  client: Client,
  sources: Parameters<typeof demoBoards>[0],
): Promise<MadeBoard[]> {
  const groups = await client.get<{ rows: { id: string }[] }>("group", { where: { public: true } });
  const publicGroup = { role: "Groups", id: groups.rows[0]?.id ?? "" };
  const found = await client.get<{ rows: { id: string; name: { en?: string } }[] }>("securable", {
    where: { type: "dashboard" },
    attributes: ["id", "name"],
  });
  for (const { datasetId } of [sources.flights, sources.airports])
    await client.associate("securable", datasetId, publicGroup, { flagRead: true, flagUse: true });
  const made: MadeBoard[] = [];
  for (const { name, contents } of demoBoards(sources)) {
    const known = found.rows.find((row) => row.name.en === name);
    if (known) await client.update("securable", known.id, { contents });
    const { id } =
      known ??
      (await client.create<{ id: string }>("securable", {
        type: "dashboard",
        name: { en: name },
        contents,
      }));
    await client.associate("securable", id, publicGroup, { flagRead: true, flagUse: true });
    const shares = await client.get<{ rows: { id: string }[] }>("share", {
      where: { securable_id: id },
    });
    let [share] = shares.rows;
    if (!share) {
      share = await client.create<{ id: string }>("share", {});
      await client.associate("share", share.id, { role: "Dashboard", id });
    }
    made.push({ name, id, shareId: share.id });
  }
  return made;
}
