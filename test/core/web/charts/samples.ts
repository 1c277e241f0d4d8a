import { kindSamples } from "./kindSamples.ts";
import type { ChartCell, PivotTotals } from "../../../../core/web/charts/index.ts";

/** A stored item with the rows that answer its query. */
export interface Sample {
  readonly name: string;
  readonly stored: Readonly<Record<string, unknown>>;
  readonly rows: readonly (readonly ChartCell[])[];
  readonly totals?: readonly ChartCell[];
  readonly pivotTotals?: PivotTotals;
  readonly selected?: readonly string[];
  readonly failure?: string;
  readonly warnings?: readonly string[];
}

type Content = Readonly<Record<string, unknown>>;

const text = (id: string, color?: string): ChartCell => ({
  id,
  name: { en: id },
  ...(color && { color }),
});
const slot = (name: string, ...content: readonly Content[]) => ({ name, content });
const column = (label: string, type: string, more: Content = {}): Content => ({
  type,
  label: { en: label },
  columnId: label.toLowerCase(),
  datasetId: "d",
  ...more,
});
const delay = column("Delay", "numeric", { aggregationFunc: "average", format: ",.1f" });
const flights = column("Flights", "numeric", { aggregationFunc: "sum", format: ",.0f" });
const month = column("Month", "datetime", { level: 3 });
const origin = column("Origin", "hierarchy");
const carrier = column("Carrier", "hierarchy");

const airports = [
  "Atlanta",
  "Chicago O’Hare",
  "Dallas Fort Worth",
  "Los Angeles",
  "Phoenix",
  "Denver",
  "Houston",
  "San Francisco",
];
const carriers = ["Delta", "United", "American", "Southwest"];

/** The first day of each of 18 months. */
const months = Array.from({ length: 18 }, (_, index) =>
  new Date(Date.UTC(2000, index, 1)).toISOString(),
);

/** A periodic number that is exact on every machine, unlike a sine. */
const wave = (index: number, of: number) => Math.abs(((index * 7 + of * 5) % 13) - 6) / 6;

const years = ["2000-01-01T00:00:00.000Z", "2001-01-01T00:00:00.000Z"];

const title = (shown: string) => ({ title: { en: shown } });

/** An item of each kind, and items that were once drawn incorrectly. */
export const samples: readonly Sample[] = [
  {
    name: "columns by month",
    stored: {
      type: "column-chart",
      options: title("Flights were fewest in February"),
      slots: [slot("x-axis", month), slot("measure", flights)],
    },
    rows: months.map((at, index) => [at, 420_000 + Math.round(80_000 * wave(index, 1))]),
  },
  {
    name: "bars",
    stored: { type: "bar-chart", slots: [slot("y-axis", origin), slot("measure", delay)] },
    rows: airports.map((name, index) => [text(name), Math.round(190 - index * 21.3) / 10]),
  },
  {
    name: "stacked columns",
    stored: {
      type: "column-chart",
      options: { mode: "stacked", ...title("Flights by carrier") },
      slots: [slot("x-axis", month), slot("measure", flights), slot("legend", carrier)],
    },
    rows: months.flatMap((at, index) =>
      carriers.map((name, of) => [at, text(name), 60_000 + Math.round(60_000 * wave(index, of))]),
    ),
  },
  {
    name: "grouped bars",
    stored: {
      type: "bar-chart",
      options: title("Delay by airport and carrier"),
      slots: [slot("y-axis", origin), slot("measure", delay), slot("legend", carrier)],
    },
    rows: airports
      .slice(0, 3)
      .flatMap((at, index) =>
        carriers
          .slice(0, 3)
          .map((name, of) => [text(at), text(name), Math.round(20 * wave(index, of) + 30) / 10]),
      ),
  },
  {
    name: "shares of 100 percent",
    stored: {
      type: "bar-chart",
      options: { mode: "100", ...title("Share of carriers by airport") },
      slots: [slot("y-axis", origin), slot("measure", flights), slot("legend", carrier)],
    },
    rows: airports.flatMap((at, index) =>
      carriers.map((name, of) => [
        text(at),
        text(name),
        2_000 + Math.round(9_000 * wave(index, of)),
      ]),
    ),
  },
  {
    name: "lines with a gap",
    stored: {
      type: "line-chart",
      options: title("Average delay by month, in minutes"),
      slots: [slot("x-axis", month), slot("measure", delay), slot("legend", carrier)],
    },
    rows: months.flatMap((at, index) =>
      carriers
        .slice(0, 3)
        .flatMap((name, of) =>
          of === 1 && index > 6 && index < 10
            ? []
            : [[at, text(name), Math.round(40 + 60 * wave(index, of) + of * 30) / 10]],
        ),
    ),
  },
  {
    name: "line over hours",
    stored: {
      type: "line-chart",
      slots: [slot("x-axis", column("Hour", "datetime", { level: 6 })), slot("measure", delay)],
    },
    rows: Array.from({ length: 72 }, (_, hour) => [
      new Date(Date.UTC(2001, 2, 24, hour)).toISOString(),
      Math.round(50 + 100 * wave(hour, 2)) / 10,
    ]),
  },
  {
    name: "stacked areas",
    stored: {
      type: "area-chart",
      options: title("Flights in the air"),
      slots: [slot("x-axis", month), slot("measure", flights), slot("legend", carrier)],
    },
    rows: months.flatMap((at, index) =>
      carriers.map((name, of) => [at, text(name), 60_000 + Math.round(60_000 * wave(index, of))]),
    ),
  },
  {
    name: "combination",
    stored: {
      type: "combination-chart",
      options: {
        ...title("Flights and their delay"),
        axis: { y2: { active: true, measureIndexes: [1] } },
        measures: [{ type: "bar" }, { type: "line" }],
      },
      slots: [slot("x-axis", month), slot("measure", flights, delay)],
    },
    rows: months.map((at, index) => [
      at,
      420_000 + Math.round(80_000 * wave(index, 1)),
      Math.round(60 + 70 * wave(index, 3)) / 10,
    ]),
  },
  {
    name: "number",
    stored: {
      type: "evolution-number",
      options: title("Flights a month"),
      slots: [slot("measure", flights), slot("evolution", month)],
    },
    rows: months.map((at, index) => [at, 420_000 + Math.round(80_000 * wave(index, 4))]),
  },
  {
    name: "table",
    stored: {
      type: "regular-table",
      options: { ...title("Airports"), cells: { bars: true } },
      slots: [slot("columns", origin, month, flights, delay)],
    },
    rows: Array.from({ length: 200 }, (_, index) => [
      text(airports[index % 8] ?? ""),
      months[index % 18] ?? null,
      index % 11 === 3 ? null : 1_000 + Math.round(90_000 * wave(index, 1)),
      Math.round(200 * wave(index, 2) - 40) / 10,
    ]),
  },
  {
    name: "table with totals and colours",
    stored: {
      type: "regular-table",
      options: {
        ...title("Airports with their totals"),
        totals: true,
        pinnedColumns: 1,
        columns: [
          { slotContentId: "carrier", mode: "categoryBadge" },
          { slotContentId: "flights", mode: "bar", barColor: "#8a63d2" },
          {
            slotContentId: "delay",
            mode: "conditionalBackground",
            conditional: [
              { isNegativeInfinityRange: true, color: "#cfe8d8" },
              { val: 5, color: "#f6d98a" },
              { val: 12, color: "rgb(192, 54, 44)" },
            ],
          },
        ],
      },
      slots: [slot("columns", origin, carrier, flights, delay)],
    },
    rows: airports.map((name, index) => [
      text(name),
      text(carriers[index % 4] ?? ""),
      12_000 + Math.round(40_000 * wave(index, 1)),
      index === 4 ? null : Math.round(200 * wave(index, 2) - 20) / 10,
    ]),
    totals: [null, null, 247_000, 8.42],
  },
  {
    name: "pivot table",
    stored: {
      type: "pivot-table",
      options: title("Flights by airport and carrier"),
      slots: [slot("row", origin), slot("column", carrier), slot("measure", flights)],
    },
    rows: airports.flatMap((at, index) =>
      carriers.map((name, of) => [
        text(at),
        text(name),
        2_000 + Math.round(9_000 * wave(index, of)),
      ]),
    ),
  },
  {
    name: "pivot table with groups",
    stored: {
      type: "pivot-table",
      options: {
        ...title("Flights by carrier and airport"),
        totals: true,
        headers: { background: "#123f8c" },
        valueCells: { alternate: true },
        tableBorders: { type: "all", color: "#a5a5a5", width: 1 },
      },
      slots: [
        slot("row", carrier, origin),
        slot("column", column("Year", "datetime", { level: 1 })),
        slot("measure", flights),
      ],
    },
    rows: carriers
      .slice(0, 2)
      .flatMap((name, of) =>
        airports
          .slice(0, 3)
          .flatMap((at, index) =>
            years.map((year, count) => [text(name), text(at), year, 100 * (of + index + count)]),
          ),
      ),
    pivotTotals: {
      down: carriers
        .slice(0, 2)
        .flatMap((name, of) =>
          airports
            .slice(0, 3)
            .map((at, index) => [text(name), text(at), null, 200 * (of + index) + 100]),
        ),
      across: years.map((year, count) => [null, null, year, 900 + 600 * count]),
      grand: [[null, null, null, 2_400]],
      subtotals: [
        {
          rowDepth: 1,
          columnDepth: 1,
          rows: carriers
            .slice(0, 2)
            .flatMap((name, of) =>
              years.map((year, count) => [text(name), null, year, 300 * (of + count + 1)]),
            ),
        },
        {
          rowDepth: 1,
          columnDepth: 0,
          rows: carriers.slice(0, 2).map((name, of) => [text(name), null, null, 600 * of + 900]),
        },
      ],
    },
  },
  {
    name: "donut",
    stored: {
      type: "donut-chart",
      options: title("Flights by airport"),
      slots: [slot("category", origin), slot("measure", flights)],
    },
    rows: airports.map((name, index) => [text(name), 52_000 - index * 5_100]),
  },
  {
    name: "scatter",
    stored: {
      type: "scatter-plot",
      options: title("Longer flights are late less often"),
      slots: [
        slot(
          "x-axis",
          column("Distance", "numeric", { aggregationFunc: "average", format: ",.0f" }),
        ),
        slot("y-axis", delay),
        slot("size", flights),
        slot("color", carrier),
        slot("name", origin),
      ],
    },
    rows: airports.flatMap((name, index) =>
      carriers.map((by, of) => [
        text(name),
        text(by),
        Math.round(300 + 900 * wave(index, of) + of * 100),
        Math.round(150 - 80 * wave(index, of) + 40 * wave(of, index)) / 10,
        1_000 + 4_000 * ((index + of) % 5),
      ]),
    ),
  },
  {
    name: "bubbles",
    stored: {
      type: "bubble-chart",
      options: title("Flights by airport"),
      slots: [slot("category", origin), slot("measure", flights)],
    },
    rows: airports.map((name, index) => [text(name), 52_000 - index * 5_900]),
  },
  {
    name: "heat table",
    stored: {
      type: "heat-table",
      options: title("Delay by airport and month, in minutes"),
      slots: [slot("y-axis", origin), slot("x-axis", month), slot("measure", delay)],
    },
    rows: airports.flatMap((name, of) =>
      months.flatMap((at, index) =>
        index === 4 && of === 2
          ? []
          : [[text(name), at, Math.round(30 + 130 * wave(index, of)) / 10]],
      ),
    ),
  },
  {
    name: "histogram",
    stored: {
      type: "column-chart",
      options: title("Most flights are less than 1,000 miles"),
      slots: [
        slot("x-axis", column("Distance", "numeric", { bins: { enabled: true, number: 12 } })),
        slot("measure", flights),
      ],
    },
    rows: [900, 2_100, 3_600, 3_100, 2_400, 1_500, 1_300, 700, 350, 300, 90, 40].map(
      (count, index) => [`[ ${index * 200} - ${(index + 1) * 200} [`, count],
    ),
  },
  {
    name: "box plot",
    stored: {
      type: "box-plot",
      options: title("Delay by carrier, in minutes"),
      slots: [slot("category", carrier), slot("measure", delay)],
    },
    rows: carriers.flatMap((name, of) =>
      Array.from({ length: 80 }, (_, index) => [
        text(name),
        Math.round(10 * ((index % 20) * (1 + of * 0.4) - 6 + (index % 37 === 0 ? 40 : 0))) / 10,
      ]),
    ),
  },
  {
    name: "funnel",
    stored: {
      type: "funnel-chart",
      options: title("From search to ticket"),
      slots: [
        slot("category", column("Step", "hierarchy")),
        slot("measure", column("Visits", "numeric", { format: ",.0f" })),
      ],
    },
    rows: [
      ["Searched", 48_210],
      ["Chose a flight", 21_004],
      ["Entered names", 9_870],
      ["Paid", 7_122],
    ].map(([name, value]) => [text(String(name)), Number(value)]),
  },
  {
    name: "treemap",
    stored: {
      type: "treemap-chart",
      options: title("Flights by carrier and airport"),
      slots: [slot("category", origin), slot("color", carrier), slot("measure", flights)],
    },
    rows: airports.flatMap((name, index) =>
      carriers.map((by, of) => [text(name), text(by), 900 + Math.round(9_000 * wave(index, of))]),
    ),
  },
  {
    name: "gauge",
    stored: {
      type: "circular-gauge",
      options: title("Flights on time"),
      slots: [
        slot("measure", flights),
        slot("target", column("Plan", "numeric", { format: ",.0f" })),
      ],
    },
    rows: [[381_000, 500_000]],
  },
  {
    name: "bullets",
    stored: {
      type: "bullet-chart",
      options: title("Flights against plan"),
      slots: [
        slot("category", carrier),
        slot("measure", flights),
        slot("target", column("Plan", "numeric", { format: ",.0f" })),
      ],
    },
    rows: carriers.map((name, index) => [text(name), 60_000 - index * 9_000, 52_000]),
  },
  {
    name: "filter",
    stored: { type: "slicer-filter", options: title("Origin"), slots: [slot("dimension", origin)] },
    rows: [],
    selected: ["Atlanta", "Chicago O’Hare"],
  },
  {
    name: "text",
    stored: {
      type: "text",
      options: {
        html: {
          en: "<h1>Flights, 2001</h1><p>All <b>domestic</b> flights &amp; their delays.</p><ul><li>Rows: 3 million</li></ul><script>alert(1)</script>",
        },
      },
    },
    rows: [],
  },
  {
    name: "image",
    stored: {
      type: "image",
      options: {
        title: { en: "Floor plan" },
        url: "https://cdn.example.org/plans/terminal-2/departures.png?v=3",
      },
    },
    rows: [],
  },
  {
    name: "video without an address",
    stored: { type: "video", options: { sources: { en: [{ src: "http://example.org/a.mp4" }] } } },
    rows: [],
  },
  {
    name: "web page",
    stored: { type: "iframeobject", options: { url: { en: "https://example.org/status" } } },
    rows: [],
  },
  {
    name: "unknown type",
    stored: {
      type: "ribbon-diagram",
      options: title("From where to where"),
      slots: [
        slot("source", origin),
        slot("destination", column("Destination", "hierarchy")),
        slot("measure", flights),
      ],
    },
    rows: airports.map((name, index) => [
      text(name),
      text(airports[7 - index] ?? ""),
      52_000 - index * 5_100,
    ]),
  },
  {
    name: "empty",
    stored: {
      type: "column-chart",
      options: title("Flights"),
      slots: [slot("x-axis", month), slot("measure", flights)],
    },
    rows: [],
  },
  {
    name: "failed",
    stored: {
      type: "column-chart",
      options: title("Flights"),
      slots: [slot("x-axis", month), slot("measure", flights)],
    },
    rows: [],
    failure: "The connection Warehouse did not answer in time",
  },
  ...kindSamples,
];
