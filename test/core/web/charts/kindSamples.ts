import type { ChartCell } from "../../../../core/web/charts/index.ts";
import type { Sample } from "./samples.ts";

type Content = Readonly<Record<string, unknown>>;

const text = (id: string): ChartCell => ({ id, name: { en: id } });
const slot = (name: string, ...content: readonly Content[]) => ({ name, content });
const column = (label: string, type: string, more: Content = {}): Content => ({
  type,
  label: { en: label },
  columnId: label.toLowerCase(),
  datasetId: "d",
  ...more,
});
const sales = column("Sales", "numeric", { aggregationFunc: "sum", format: ",.0f" });
const country = column("Country", "hierarchy");
const kind = column("Kind", "hierarchy");
const title = (shown: string) => ({ title: { en: shown } });

/** A periodic number that is exact on every machine, unlike a sine. */
const wave = (index: number, of: number) => Math.abs(((index * 7 + of * 5) % 13) - 6) / 6;

const world =
  "USA,Canada,Mexico,Brazil,Argentina,Chile,Peru,Colombia,France,Germany,Spain,Italy,United Kingdom,Ireland,Portugal,Belgium,Netherlands,Poland,Sweden,Norway,Finland,Russia,Türkiye,Egypt,Nigeria,Kenya,South Africa,Morocco,Algeria,Ethiopia,India,China,Japan,South Korea,Indonesia,Vietnam,Thailand,Australia,New Zealand,Singapore,Saudi Arabia,Iran,Kazakhstan,Mongolia,Atlantis,Lemuria".split(
    ",",
  );
const europe = "BE,NL,LU,FR,DE,CH,AT,IT,ES,PT,DK,PL,CZ,GB,IE".split(",");
const capitals: readonly (readonly [string, number, number])[] = [
  ["Brussels", 50.85, 4.35],
  ["Paris", 48.86, 2.35],
  ["Berlin", 52.52, 13.4],
  ["Madrid", 40.42, -3.7],
  ["Rome", 41.9, 12.5],
  ["Vienna", 48.21, 16.37],
  ["Warsaw", 52.23, 21.01],
  ["Copenhagen", 55.68, 12.57],
  ["Dublin", 53.35, -6.26],
  ["Lisbon", 38.72, -9.14],
  ["London", 51.51, -0.13],
  ["Prague", 50.08, 14.44],
  ["Athens", 37.98, 23.73],
  ["Oslo", 59.91, 10.75],
];
const kinds = ["Shop", "Depot", "Office"];

/** Points of a town, as strings with a latitude and a longitude. */
const inTown = Array.from({ length: 160 }, (_, index) => {
  const up = 50.82 + 0.07 * wave(index, 3) * wave(index * 5, 1) + 0.0006 * (index % 17);
  const across = 4.3 + 0.12 * wave(index, 8) * wave(index * 3, 2) + 0.0009 * (index % 11);
  return `${up.toFixed(5)},${across.toFixed(5)}`;
});

const latitude = column("Latitude", "numeric");
const longitude = column("Longitude", "numeric");

const continents: Readonly<Record<string, readonly string[]>> = {
  Europe: ["Belgium", "France", "Germany", "Spain", "Italy"],
  Asia: ["Japan", "India", "China"],
  America: ["Canada", "Brazil", "Chile"],
  Africa: ["Kenya", "Morocco"],
};
const products = ["Bread", "Cheese", "Wine"];
const nested = Object.entries(continents).flatMap(([continent, countries], index) =>
  countries.flatMap((name, place) =>
    products.map((product, of) => [
      text(continent),
      text(name),
      text(product),
      Math.round(900 * wave(index * 3 + place, of) + 60),
    ]),
  ),
);
const levels = [column("Continent", "hierarchy"), country, column("Product", "hierarchy")];

const days = Array.from({ length: 40 }, (_, index) =>
  new Date(Date.UTC(2025, 2, 3 + index + 2 * Math.floor(index / 5))).toISOString(),
);
const price = (label: string) =>
  column(label, "numeric", { aggregationFunc: "average", format: ",.2f" });

const words =
  "analytics data query chart table column measure filter dashboard export schedule alert stream store engine plugin source join group order limit cache token user role share embed theme font colour axis legend tooltip map route place country region city spike circle".split(
    " ",
  );

/** Items of the kinds that pages load on first use: maps, flows, nested values, sets and words. */
export const kindSamples: readonly Sample[] = [
  {
    name: "regions of the world",
    stored: {
      type: "choropleth-map",
      options: title("Sales by country"),
      slots: [slot("geo", country), slot("measure", sales)],
    },
    rows: world.map((name, index) => [text(name), 40 + Math.round(960 * wave(index, 1) ** 2)]),
  },
  {
    name: "regions by category",
    stored: {
      type: "choropleth-map",
      options: title("Kind of the largest branch"),
      slots: [slot("geo", country), slot("category", kind), slot("measure", sales)],
    },
    rows: europe.flatMap((name, index) =>
      kinds.map((each, of) => [text(name), text(each), Math.round(500 * wave(index, of * 3))]),
    ),
  },
  {
    name: "circles on a map",
    stored: {
      type: "symbol-map",
      options: title("Sales by country"),
      slots: [slot("geo", country), slot("category", kind), slot("measure", sales)],
    },
    rows: europe.map((name, index) => [
      text(name),
      text(kinds[index % 3] ?? ""),
      index === 4 ? 0 : 30 + Math.round(900 * wave(index, 2)),
    ]),
  },
  {
    name: "markers on a map",
    stored: {
      type: "marker-map",
      options: title("Branches"),
      slots: [slot("geo", column("Position", "hierarchy"))],
    },
    rows: [
      ...capitals.map(([, up, across]) => `POINT(${across} ${up})`),
      ...inTown.slice(0, 12),
      "POINT(4.36",
      "nowhere",
    ].map((at) => [text(at)]),
  },
  {
    name: "spikes on a map",
    stored: {
      type: "spike-map",
      options: title("Sales by city"),
      slots: [slot("geo", latitude, longitude), slot("color", kind), slot("measure", sales)],
    },
    rows: capitals.map(([, up, across], index) => [
      up,
      across,
      text(kinds[index % 3] ?? ""),
      30 + Math.round(900 * wave(index, 2)),
    ]),
  },
  {
    name: "hexagons on a map",
    stored: {
      type: "hexbin-map",
      options: title("Trips by start"),
      slots: [slot("geo", column("Position", "hierarchy")), slot("measure", sales)],
    },
    rows: inTown.map((at, index) => [text(at), 10 + Math.round(100 * wave(index, 4))]),
  },
  {
    name: "density on a map",
    stored: {
      type: "heat-map",
      options: title("Trips by start"),
      slots: [slot("geo", column("Position", "hierarchy"))],
    },
    rows: inTown.map((at) => [text(at)]),
  },
  {
    name: "routes on a map",
    stored: {
      type: "route-map",
      options: title("Flights"),
      slots: [
        slot("route", column("Flight", "hierarchy")),
        slot("order", column("Stop", "numeric")),
        slot("geo", column("Position", "hierarchy")),
      ],
    },
    rows: (
      [
        ["SN 1", 1, "50.9,4.48"],
        ["SN 1", 2, "40.64,-73.78"],
        ["SN 1", 3, "37.62,-122.38"],
        ["NH 2", 1, "35.55,139.78"],
        ["NH 2", 2, "37.62,-122.38"],
        ["QF 3", 1, "-33.95,151.18"],
        ["QF 3", 2, "1.36,103.99"],
        ["QF 3", 3, "51.47,-0.45"],
      ] as const
    ).map(([flight, stop, at]) => [text(flight), stop, text(at)]),
  },
  {
    name: "flows",
    stored: {
      type: "sankey-diagram",
      options: title("From channel to outcome"),
      slots: [
        slot("source", column("From", "hierarchy")),
        slot("destination", column("To", "hierarchy")),
        slot("measure", sales),
      ],
    },
    rows: (
      [
        ["Search", "Product", 420],
        ["Mail", "Product", 180],
        ["Search", "Home", 260],
        ["Social", "Home", 140],
        ["Home", "Product", 210],
        ["Product", "Basket", 380],
        ["Product", "Left", 430],
        ["Home", "Left", 190],
        ["Basket", "Paid", 300],
        ["Basket", "Left", 80],
        ["Paid", "Home", 12],
      ] as const
    ).map(([from, to, amount]) => [text(from), text(to), amount]),
  },
  {
    name: "rings",
    stored: {
      type: "sunburst-chart",
      options: title("Sales by place and product"),
      slots: [slot("levels", ...levels), slot("measure", sales)],
    },
    rows: nested,
  },
  {
    name: "circles in circles",
    stored: {
      type: "circle-pack-chart",
      options: title("Sales by place"),
      slots: [slot("levels", ...levels.slice(0, 2)), slot("measure", sales)],
    },
    rows: nested
      .filter((_, index) => index % 3 === 0)
      .map(([one, two, , four]) => [one ?? null, two ?? null, four ?? null]),
  },
  {
    name: "radar",
    stored: {
      type: "radar-chart",
      options: title("Ratings"),
      slots: [
        slot("category", column("Quality", "hierarchy")),
        slot("color", kind),
        slot(
          "measure",
          column("Rating", "numeric", { aggregationFunc: "average", format: ",.1f" }),
        ),
      ],
    },
    rows: ["Price", "Speed", "Comfort", "Service", "Range", "Safety"].flatMap((name, index) =>
      kinds.map((each, of) => [text(name), text(each), 2 + 3 * wave(index, of * 2)]),
    ),
  },
  {
    name: "parallel coordinates",
    stored: {
      type: "parallel-coordinates-plot",
      options: title("Cars"),
      slots: [
        slot("color", kind),
        slot(
          "coordinates",
          column("Power", "numeric", { format: ",.0f" }),
          column("Weight", "numeric", { format: ",.0f" }),
          column("Range", "numeric", { format: ",.0f" }),
          column("Fuel", "hierarchy"),
        ),
      ],
    },
    rows: Array.from({ length: 48 }, (_, index) => [
      text(kinds[index % 3] ?? ""),
      index === 7 ? null : 60 + Math.round(140 * wave(index, 1)),
      900 + Math.round(900 * wave(index, 2)) + (index % 3) * 80,
      300 + Math.round(500 * wave(index, 3)),
      text(["Petrol", "Diesel", "Electric"][(index * 5) % 3] ?? ""),
    ]),
  },
  {
    name: "prices",
    stored: {
      type: "ohlc-chart",
      options: title("Price of wheat"),
      slots: [
        slot("x-axis", column("Day", "datetime", { level: 5, subtype: "date" })),
        slot("open", price("Open")),
        slot("high", price("High")),
        slot("low", price("Low")),
        slot("close", price("Close")),
      ],
    },
    rows: days.map((day, index) => {
      const open = 210 + 18 * wave(index, 1) + index * 0.6;
      const close = 210 + 18 * wave(index + 1, 1) + (index + 1) * 0.6;
      const reach = 2 + 5 * wave(index, 4);
      return [day, open, Math.max(open, close) + reach, Math.min(open, close) - reach, close];
    }),
  },
  {
    name: "words",
    stored: {
      type: "wordcloud-chart",
      options: title("Words in questions"),
      slots: [slot("category", column("Word", "hierarchy")), slot("measure", sales)],
    },
    rows: words.map((word, index) => [text(word), Math.round(900 / (index + 1)) + 8]),
  },
  {
    name: "sets",
    stored: {
      type: "venn-diagram",
      options: title("Customers by channel"),
      slots: [
        slot("category", column("Channel", "hierarchy")),
        slot("identifier", column("Customer", "hierarchy")),
      ],
    },
    rows: Array.from({ length: 90 }, (_, index) =>
      [
        ...(index % 2 === 0 ? ["Shop"] : []),
        ...(index % 3 === 0 ? ["Web"] : []),
        ...(index % 5 < 2 ? ["Phone"] : []),
      ].map((channel) => [text(channel), text(`c${index}`)]),
    ).flat(),
  },
];
