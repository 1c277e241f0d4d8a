import type { ChartCell, ItemType } from "../../../core/web/charts/index.ts";
import type { Sample } from "../../core/web/charts/samples.ts";

/** An item on the page about charts, with the rows that its picture shows. */
export interface ChartExample extends Omit<Sample, "name" | "stored"> {
  readonly stored: {
    readonly id: string;
    readonly type: ItemType;
    readonly position: Readonly<Record<"col" | "row" | "sizeX" | "sizeY", number>>;
    readonly options?: Readonly<Record<string, unknown>>;
    readonly slots?: readonly {
      readonly name: string;
      readonly content: readonly Readonly<Record<string, unknown>>[];
    }[];
  };
}

type Content = Readonly<Record<string, unknown>>;

/** Ids that the page shows as "…". */
export const exampleId = "00000000-0000-4000-8000-000000000001";

const column = (label: string, type: string, more: Content = {}): Content => ({
  datasetId: exampleId,
  columnId: exampleId,
  type,
  label: { en: label },
  ...more,
});
const city = column("City", "hierarchy");
const product = column("Product", "hierarchy");
const month = column("Month", "datetime", { level: 3 });
const sales = column("Sales", "numeric", { aggregationFunc: "sum", format: ",.0f" });
const plan = column("Plan", "numeric", { aggregationFunc: "sum", format: ",.0f" });
const price = column("Price", "numeric", { aggregationFunc: "average", format: ",.1f" });
const days = column("Days", "numeric", { format: ",.0f" });

const country = column("Country", "hierarchy");
const position = column("Position", "hierarchy");
const channel = column("Channel", "hierarchy");
const rating = column("Rating", "numeric", { aggregationFunc: "average", format: ",.1f" });
const open = column("Open", "numeric", { aggregationFunc: "average", format: ",.0f" });
const high = column("High", "numeric", { aggregationFunc: "max", format: ",.0f" });
const low = column("Low", "numeric", { aggregationFunc: "min", format: ",.0f" });
const close = column("Close", "numeric", { aggregationFunc: "average", format: ",.0f" });

const cities = ["Brussels", "Ghent", "Lille", "Mons", "Namur"];
const products = ["Bread", "Cheese", "Wine"];
const months = Array.from({ length: 8 }, (_, index) =>
  new Date(Date.UTC(2025, index, 1)).toISOString(),
);

/** A periodic number from 0 to 1 that is exact on every machine, unlike a sine. */
const wave = (index: number, of: number) => Math.abs(((index * 7 + of * 5) % 13) - 6) / 6;
const text = (id: string): ChartCell => ({ id, name: { en: id } });
const amount = (index: number, of: number) => 200 + Math.round(600 * wave(index, of));

const byCity = cities.map((name, index) => [text(name), 820 - index * 143]);
const byMonth = months.map((at, index) => [at, amount(index, 1)]);
const byMonthAndProduct = months.flatMap((at, index) =>
  products.map((name, of) => [at, text(name), amount(index, of)]),
);
const byCityAndProduct = cities.flatMap((at, index) =>
  products.map((name, of) => [text(at), text(name), amount(index, of)]),
);
const single = products.flatMap((name, of) =>
  Array.from({ length: 24 }, (_, index) => [
    text(name),
    3 + ((index * 7) % 12) + of * 2 + (index === 20 ? 14 : 0),
  ]),
);

const countries = ["BE", "NL", "LU", "FR", "DE", "GB", "CH"];
const positions = [
  "50.85,4.35",
  "51.05,3.72",
  "50.63,3.06",
  "50.45,3.95",
  "50.47,4.87",
  "51.22,4.4",
];
const starts = Array.from({ length: 60 }, (_, index) => {
  const up = 50.6 + 0.5 * wave(index, 3) * wave(index * 5, 1) + 0.01 * (index % 7);
  const across = 3.6 + 0.9 * wave(index, 8) * wave(index * 3, 2) + 0.02 * (index % 5);
  return `${up.toFixed(3)},${across.toFixed(3)}`;
});
const flows = [
  ["Search", "Home", 260],
  ["Search", "Product", 420],
  ["Mail", "Product", 180],
  ["Home", "Product", 150],
  ["Product", "Paid", 380],
  ["Product", "Left", 370],
] as const;

/** An item: its type, its slots, its options and its rows. */
function example<Type extends ItemType>(
  type: Type,
  slots: Readonly<Record<string, readonly Content[]>>,
  rows: readonly (readonly ChartCell[])[],
  options?: Content,
  more: Pick<Sample, "selected" | "totals"> = {},
): ChartExample {
  return {
    stored: {
      id: "item-1",
      type,
      position: { col: 0, row: 0, sizeX: 24, sizeY: 16 },
      ...(options && { options }),
      ...(Object.keys(slots).length > 0 && {
        slots: Object.entries(slots).map(([name, content]) => ({ name, content })),
      }),
    },
    rows,
    ...more,
  };
}

/** One example for each item type. */
export const chartExamples: Readonly<Record<ItemType, ChartExample>> = {
  "column-chart": example(
    "column-chart",
    { "x-axis": [month], measure: [sales], legend: [product] },
    byMonthAndProduct,
    { title: { en: "Sales by month" }, mode: "stacked" },
  ),
  "bar-chart": example("bar-chart", { "y-axis": [city], measure: [sales] }, byCity),
  "pyramid-chart": example(
    "pyramid-chart",
    { "y-axis": [city], measure: [sales], legend: [product] },
    byCityAndProduct.filter((_, index) => index % 3 < 2),
  ),
  "line-chart": example(
    "line-chart",
    { "x-axis": [month], measure: [sales], legend: [product] },
    byMonthAndProduct,
    { title: { en: "Sales by month" }, lines: { smooth: true } },
  ),
  "area-chart": example(
    "area-chart",
    { "x-axis": [month], measure: [sales], legend: [product] },
    byMonthAndProduct,
  ),
  "combination-chart": example(
    "combination-chart",
    { "x-axis": [month], measure: [sales, price] },
    months.map((at, index) => [at, amount(index, 1), 4 + 5 * wave(index, 3)]),
    {
      title: { en: "Sales and prices" },
      measures: [{ type: "bar" }, { type: "line" }],
      axis: { y2: { active: true, measureIndexes: [1] } },
    },
  ),
  "donut-chart": example("donut-chart", { category: [city], measure: [sales] }, byCity, {
    title: { en: "Sales by city" },
    mode: "donut",
  }),
  "scatter-plot": example(
    "scatter-plot",
    { name: [city], color: [product], "x-axis": [price], "y-axis": [sales] },
    cities.flatMap((at, index) =>
      products.map((name, of) => [
        text(at),
        text(name),
        2 + of * 2 + 3 * wave(index, of),
        900 - 180 * of - Math.round(300 * wave(of, index)),
      ]),
    ),
    { title: { en: "Sales by price" } },
  ),
  "bubble-chart": example("bubble-chart", { category: [city], measure: [sales] }, byCity),
  "heat-table": example(
    "heat-table",
    { "y-axis": [city], "x-axis": [product], measure: [sales] },
    byCityAndProduct,
  ),
  "box-plot": example("box-plot", { category: [product], measure: [days] }, single, {
    title: { en: "Days on the shelf" },
  }),
  "strip-plot": example("strip-plot", { "y-axis": [product], measure: [days] }, single, {
    title: { en: "Days on the shelf" },
  }),
  "funnel-chart": example(
    "funnel-chart",
    {
      category: [column("Step", "hierarchy")],
      measure: [column("Visits", "numeric", { aggregationFunc: "sum", format: ",.0f" })],
    },
    [
      [text("Looked"), 48_210],
      [text("Chose"), 21_004],
      [text("Paid"), 7_122],
    ],
  ),
  "treemap-chart": example(
    "treemap-chart",
    { category: [city], color: [product], measure: [sales] },
    byCityAndProduct,
  ),
  "pivot-table": example(
    "pivot-table",
    { row: [city], column: [product], measure: [sales] },
    byCityAndProduct,
  ),
  "regular-table": example(
    "regular-table",
    { columns: [city, { ...sales, id: "sales" }] },
    byCity,
    {
      title: { en: "Sales by city" },
      totals: true,
      columns: [{ slotContentId: "sales", mode: "bar" }],
    },
    { totals: [null, 2670] },
  ),
  "evolution-number": example(
    "evolution-number",
    { measure: [sales], evolution: [month] },
    byMonth,
    { title: { en: "Sales" } },
  ),
  "conditional-number": example(
    "conditional-number",
    { measure: [sales], target: [plan] },
    [[2_670, 2_500]],
    { title: { en: "Sales" } },
  ),
  "circular-gauge": example("circular-gauge", { measure: [sales] }, [[2_670]], {
    title: { en: "Sales" },
    manualValues: { target: 4_000 },
  }),
  "speedometer-chart": example("speedometer-chart", { measure: [sales], target: [plan] }, [
    [2_670, 4_000],
  ]),
  "bullet-chart": example(
    "bullet-chart",
    { category: [city], measure: [sales], target: [plan] },
    cities.map((name, index) => [text(name), 820 - index * 143, 560]),
  ),
  "choropleth-map": example(
    "choropleth-map",
    { geo: [country], measure: [sales] },
    countries.map((name, index) => [text(name), amount(index, 2)]),
  ),
  "symbol-map": example(
    "symbol-map",
    { geo: [country], measure: [sales] },
    countries.map((name, index) => [text(name), amount(index, 2)]),
  ),
  "marker-map": example(
    "marker-map",
    { geo: [position] },
    positions.map((at) => [text(at)]),
    { title: { en: "Shops" } },
  ),
  "spike-map": example(
    "spike-map",
    { geo: [country], measure: [sales] },
    countries.map((name, index) => [text(name), amount(index, 2)]),
  ),
  "hexbin-map": example(
    "hexbin-map",
    { geo: [position], measure: [sales] },
    starts.map((at, index) => [text(at), amount(index, 4)]),
    { title: { en: "Sales by place" } },
  ),
  "heat-map": example(
    "heat-map",
    { geo: [position] },
    starts.slice(0, 30).map((at) => [text(at)]),
    { title: { en: "Trips" } },
  ),
  "route-map": example(
    "route-map",
    { route: [product], order: [days], geo: [position] },
    positions.map((at, index) => [text(products[index % 2] ?? ""), index, text(at)]),
    { title: { en: "Deliveries" } },
  ),
  "sankey-diagram": example(
    "sankey-diagram",
    { source: [channel], destination: [column("Next step", "hierarchy")], measure: [sales] },
    flows.map(([from, to, value]) => [text(from), text(to), value]),
    { title: { en: "From channel to outcome" } },
  ),
  "sunburst-chart": example(
    "sunburst-chart",
    { levels: [city, product], measure: [sales] },
    byCityAndProduct,
  ),
  "circle-pack-chart": example(
    "circle-pack-chart",
    { levels: [city, product], measure: [sales] },
    byCityAndProduct,
  ),
  "radar-chart": example(
    "radar-chart",
    { category: [column("Quality", "hierarchy")], color: [product], measure: [rating] },
    ["Price", "Taste", "Smell", "Looks", "Service"].flatMap((name, index) =>
      products.map((each, of) => [text(name), text(each), 1 + 4 * wave(index, of * 2)]),
    ),
  ),
  "parallel-coordinates-plot": example(
    "parallel-coordinates-plot",
    { color: [product], coordinates: [column("Price", "numeric", { format: ",.1f" }), days] },
    cities.flatMap((_, index) =>
      products.map((name, of) => [text(name), 2 + 3 * wave(index, of), 4 + 9 * wave(of, index)]),
    ),
    { title: { en: "Price and days on the shelf" } },
  ),
  "ohlc-chart": example(
    "ohlc-chart",
    { "x-axis": [month], open: [open], high: [high], low: [low], close: [close] },
    months.map((at, index) => {
      const [first, last] = [200 + 40 * wave(index, 1), 200 + 40 * wave(index + 1, 1)];
      return [at, first, Math.max(first, last) + 9, Math.min(first, last) - 6, last];
    }),
    { title: { en: "Price of wheat" } },
  ),
  "wordcloud-chart": example(
    "wordcloud-chart",
    { category: [product], measure: [sales] },
    [...products, ...cities].map((name, index) => [text(name), 900 - index * 90]),
    { title: { en: "Words in reviews" } },
  ),
  "venn-diagram": example(
    "venn-diagram",
    { category: [channel], identifier: [column("Customer", "hierarchy")] },
    Array.from({ length: 60 }, (_, index) =>
      [
        ...(index % 2 === 0 ? ["Shop"] : []),
        ...(index % 3 === 0 ? ["Web"] : []),
        ...(index % 5 < 2 ? ["Phone"] : []),
      ].map((name) => [text(name), text(`c${index}`)]),
    ).flat(),
    { title: { en: "Customers by channel" } },
  ),
  "slicer-filter": example(
    "slicer-filter",
    { dimension: [city] },
    [],
    { title: { en: "City" } },
    { selected: ["Ghent", "Mons"] },
  ),
  "dropdown-filter": example("dropdown-filter", { dimension: [city] }, []),
  "search-filter": example("search-filter", { dimension: [city] }, []),
  "date-filter": example("date-filter", { time: [month] }, []),
  "date-comparison-filter": example("date-comparison-filter", { time: [month] }, []),
  "slider-filter": example("slider-filter", { slidermetric: [days] }, []),
  text: example("text", {}, [], {
    html: { en: "<h1>Sales</h1><p>All shops, without returns.</p>", nl: "<h1>Verkoop</h1>" },
  }),
  image: example("image", {}, [], {
    title: { en: "Our shops" },
    url: { en: "https://www.example.org/shops.jpg" },
    mode: "fit",
  }),
  video: example("video", {}, [], {
    title: { en: "How to read this dashboard" },
    sources: { en: [{ src: "https://www.example.org/tour.mp4", type: "video/mp4" }] },
  }),
  iframeobject: example("iframeobject", {}, [], {
    title: { en: "Opening hours" },
    url: { en: "https://www.example.org/hours" },
  }),
  spacer: example("spacer", {}, []),
};
