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
  spacer: example("spacer", {}, []),
};
