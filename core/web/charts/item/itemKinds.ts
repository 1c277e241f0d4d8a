/**
 * A group of kinds that a page loads together as one script. Kinds of the family "early" are part of the first script.
 */
export type KindFamily =
  | "early"
  | "arcs"
  | "flows"
  | "grids"
  | "hierarchies"
  | "maps"
  | "media"
  | "radials"
  | "sets"
  | "spreads";

interface KindRow {
  /** The name of the kind in descriptions of pictures. */
  readonly name: string;
  readonly family: KindFamily;
  /** Whether the kind is drawn from rows. Other kinds show their content without rows. */
  readonly hasRows: boolean;
  /** Whether categories without their own order are sorted by their first measure. */
  readonly isByValue: boolean;
  /**
   * Maximum number of rows that the picture can show, and therefore requests: slices and parts that people can still
   * see, rows of a table, points of lines. What the host leaves out is counted and said.
   */
  readonly mostRows: number;
  /** Whether the newest periods are kept if there are more than the picture can show. */
  readonly keepsNewest?: true;
  /** Maximum number of values in the slot `legend` that have a colour of their own. Further values are combined. */
  readonly mostSeries?: number;
  /** Whether only values above 0 have a shape, as in slices. */
  readonly isOfPositive?: true;
  /** Whether the pointer selects the value that is nearest along the horizontal axis, as in line charts. */
  readonly isReadAlongX?: true;
}

/** Maximum number of rows of tables, and of values along an axis. */
const usualRows = 10_000;

/** The number of colours of the shipped palettes. */
const seriesCount = 10;

/** The kinds of pictures in which items are drawn, by name. */
export const itemKinds = {
  bars: {
    name: "Bar chart",
    family: "early",
    hasRows: true,
    isByValue: true,
    mostRows: usualRows,
    keepsNewest: true,
    mostSeries: seriesCount,
  },
  lines: {
    name: "Line chart",
    family: "early",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
    keepsNewest: true,
    mostSeries: seriesCount,
    isReadAlongX: true,
  },
  combination: {
    name: "Combined chart",
    family: "early",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
    keepsNewest: true,
    isReadAlongX: true,
  },
  number: {
    name: "Number",
    family: "early",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
    keepsNewest: true,
  },
  gauge: { name: "Gauge", family: "arcs", hasRows: true, isByValue: false, mostRows: 1 },
  bullet: {
    name: "Bullet chart",
    family: "spreads",
    hasRows: true,
    isByValue: false,
    mostRows: 200,
  },
  table: { name: "Table", family: "grids", hasRows: true, isByValue: false, mostRows: usualRows },
  pivot: {
    name: "Pivot table",
    family: "grids",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  slices: {
    name: "Pie chart",
    family: "arcs",
    hasRows: true,
    isByValue: true,
    mostRows: 1_000,
    isOfPositive: true,
  },
  points: {
    name: "Scatter plot",
    family: "spreads",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  bubbles: {
    name: "Bubble chart",
    family: "hierarchies",
    hasRows: true,
    isByValue: true,
    mostRows: 300,
    isOfPositive: true,
  },
  heatTable: {
    name: "Heat table",
    family: "grids",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  boxes: {
    name: "Box plot",
    family: "spreads",
    hasRows: true,
    isByValue: false,
    mostRows: 100_000,
  },
  funnel: {
    name: "Funnel chart",
    family: "hierarchies",
    hasRows: true,
    isByValue: true,
    mostRows: 100,
    isOfPositive: true,
  },
  treemap: {
    name: "Treemap",
    family: "hierarchies",
    hasRows: true,
    isByValue: true,
    mostRows: 500,
    isOfPositive: true,
  },
  regions: {
    name: "Choropleth map",
    family: "maps",
    hasRows: true,
    isByValue: true,
    mostRows: usualRows,
  },
  symbols: {
    name: "Symbol map",
    family: "maps",
    hasRows: true,
    isByValue: true,
    mostRows: usualRows,
  },
  markers: {
    name: "Marker map",
    family: "maps",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  spikes: {
    name: "Spike map",
    family: "maps",
    hasRows: true,
    isByValue: true,
    mostRows: usualRows,
  },
  hexagons: {
    name: "Hexbin map",
    family: "maps",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  density: {
    name: "Density map",
    family: "maps",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  routes: {
    name: "Route map",
    family: "maps",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  sankey: {
    name: "Sankey diagram",
    family: "flows",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  rings: {
    name: "Sunburst",
    family: "hierarchies",
    hasRows: true,
    isByValue: true,
    mostRows: usualRows,
  },
  packs: {
    name: "Circle packing",
    family: "hierarchies",
    hasRows: true,
    isByValue: true,
    mostRows: usualRows,
  },
  radar: {
    name: "Radar chart",
    family: "radials",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  coordinates: {
    name: "Parallel coordinates",
    family: "spreads",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  candles: {
    name: "Price chart",
    family: "spreads",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  words: {
    name: "Word cloud",
    family: "sets",
    hasRows: true,
    isByValue: true,
    mostRows: usualRows,
  },
  venn: {
    name: "Venn diagram",
    family: "sets",
    hasRows: true,
    isByValue: false,
    mostRows: usualRows,
  },
  filter: {
    name: "Filter",
    family: "early",
    hasRows: false,
    isByValue: false,
    mostRows: usualRows,
  },
  text: { name: "Text", family: "early", hasRows: false, isByValue: false, mostRows: 0 },
  image: { name: "Image", family: "media", hasRows: false, isByValue: false, mostRows: 0 },
  video: { name: "Video", family: "media", hasRows: false, isByValue: false, mostRows: 0 },
  page: { name: "Web page", family: "media", hasRows: false, isByValue: false, mostRows: 0 },
  empty: { name: "Empty", family: "early", hasRows: false, isByValue: false, mostRows: 0 },
} as const satisfies Readonly<Record<string, KindRow>>;

/** The name of a kind of picture, such as `bars`. */
export type ItemKind = keyof typeof itemKinds;

/** The names of the kinds that belong to a family. */
export type KindsOf<Family extends KindFamily> = {
  [Kind in ItemKind]: (typeof itemKinds)[Kind]["family"] extends Family ? Kind : never;
}[ItemKind];

/** A menu in which people or models choose an item type. */
export type ItemMenu = "explore" | "assistant" | "dashboards";

interface ItemTypeRow {
  readonly kind: ItemKind;
  /** English name in menus. */
  readonly title: string;
  /** Slots whose columns group the rows, in the order of an answer's cells. The cells of measures come after these. */
  readonly dimensions: readonly string[];
  readonly measures: readonly string[];
  /** Additional slots for the column of a control. The control's own query does not group by this column. */
  readonly controls?: readonly string[];
  /** Maximum number of dimensions; absent if the last slot accepts any number. */
  readonly mostDimensions?: number;
  readonly offeredIn: readonly ItemMenu[];
}

/**
 * Item types of stored dashboards with their slots, from package `@luzmo/dashboard-contents-types` 1.0.31. Menus use
 * this order.
 */
export const itemTypes = {
  "column-chart": {
    kind: "bars",
    title: "Columns",
    dimensions: ["x-axis", "legend"],
    measures: ["measure"],
    offeredIn: ["explore", "assistant", "dashboards"],
  },
  "bar-chart": {
    kind: "bars",
    title: "Bars",
    dimensions: ["y-axis", "legend"],
    measures: ["measure"],
    offeredIn: ["explore", "assistant", "dashboards"],
  },
  "pyramid-chart": {
    kind: "bars",
    title: "Pyramid",
    dimensions: ["y-axis", "legend"],
    measures: ["measure"],
    offeredIn: [],
  },
  "line-chart": {
    kind: "lines",
    title: "Lines",
    dimensions: ["x-axis", "legend"],
    measures: ["measure"],
    offeredIn: ["explore", "assistant", "dashboards"],
  },
  "area-chart": {
    kind: "lines",
    title: "Areas",
    dimensions: ["x-axis", "legend"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "combination-chart": {
    kind: "combination",
    title: "Columns and lines",
    dimensions: ["x-axis"],
    measures: ["measure"],
    offeredIn: [],
  },
  "donut-chart": {
    kind: "slices",
    title: "Shares",
    dimensions: ["category"],
    measures: ["measure"],
    offeredIn: ["explore", "assistant", "dashboards"],
  },
  "scatter-plot": {
    kind: "points",
    title: "Scatter plot",
    dimensions: ["name", "color"],
    measures: ["x-axis", "y-axis", "size"],
    offeredIn: [],
  },
  "bubble-chart": {
    kind: "bubbles",
    title: "Bubbles",
    dimensions: ["category", "color"],
    measures: ["measure"],
    offeredIn: [],
  },
  "heat-table": {
    kind: "heatTable",
    title: "Heat map",
    dimensions: ["y-axis", "x-axis"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "box-plot": {
    kind: "boxes",
    title: "Box plot",
    dimensions: ["category"],
    measures: ["measure"],
    offeredIn: [],
  },
  "strip-plot": {
    kind: "boxes",
    title: "Strip plot",
    dimensions: ["y-axis"],
    measures: ["measure"],
    offeredIn: [],
  },
  "funnel-chart": {
    kind: "funnel",
    title: "Funnel",
    dimensions: ["category"],
    measures: ["measure"],
    offeredIn: [],
  },
  "treemap-chart": {
    kind: "treemap",
    title: "Treemap",
    dimensions: ["category", "color"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "pivot-table": {
    kind: "pivot",
    title: "Pivot table",
    dimensions: ["row", "column"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "regular-table": {
    kind: "table",
    title: "Table",
    dimensions: ["columns"],
    measures: [],
    offeredIn: ["explore", "assistant", "dashboards"],
  },
  "evolution-number": {
    kind: "number",
    title: "Number",
    dimensions: ["evolution"],
    measures: ["measure"],
    mostDimensions: 1,
    offeredIn: ["explore", "assistant", "dashboards"],
  },
  "conditional-number": {
    kind: "number",
    title: "Number and target",
    dimensions: [],
    measures: ["measure", "target"],
    offeredIn: [],
  },
  "circular-gauge": {
    kind: "gauge",
    title: "Gauge",
    dimensions: [],
    measures: ["measure", "target"],
    offeredIn: [],
  },
  "speedometer-chart": {
    kind: "gauge",
    title: "Speedometer",
    dimensions: [],
    measures: ["measure", "target"],
    offeredIn: [],
  },
  "bullet-chart": {
    kind: "bullet",
    title: "Bullet chart",
    dimensions: ["category"],
    measures: ["measure", "target"],
    offeredIn: [],
  },
  "choropleth-map": {
    kind: "regions",
    title: "Map of regions",
    dimensions: ["geo", "category"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "symbol-map": {
    kind: "symbols",
    title: "Map of circles",
    dimensions: ["geo", "category"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "marker-map": {
    kind: "markers",
    title: "Map of markers",
    dimensions: ["geo"],
    measures: ["measure"],
    offeredIn: ["dashboards"],
  },
  "spike-map": {
    kind: "spikes",
    title: "Map of spikes",
    dimensions: ["geo", "color"],
    measures: ["measure"],
    offeredIn: [],
  },
  "hexbin-map": {
    kind: "hexagons",
    title: "Map of hexagons",
    dimensions: ["geo"],
    measures: ["measure"],
    offeredIn: [],
  },
  "heat-map": {
    kind: "density",
    title: "Map of density",
    dimensions: ["geo"],
    measures: ["measure"],
    offeredIn: [],
  },
  "route-map": {
    kind: "routes",
    title: "Map of routes",
    dimensions: ["route", "legend", "order", "geo"],
    measures: [],
    offeredIn: [],
  },
  "sankey-diagram": {
    kind: "sankey",
    title: "Flows",
    dimensions: ["source", "destination", "category"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "sunburst-chart": {
    kind: "rings",
    title: "Sunburst",
    dimensions: ["levels"],
    measures: ["measure"],
    offeredIn: ["explore", "dashboards"],
  },
  "circle-pack-chart": {
    kind: "packs",
    title: "Packed circles",
    dimensions: ["levels"],
    measures: ["measure"],
    offeredIn: ["dashboards"],
  },
  "radar-chart": {
    kind: "radar",
    title: "Radar",
    dimensions: ["category", "color", "legend"],
    measures: ["measure"],
    offeredIn: ["dashboards"],
  },
  "parallel-coordinates-plot": {
    kind: "coordinates",
    title: "Parallel coordinates",
    dimensions: ["color", "coordinates"],
    measures: [],
    offeredIn: [],
  },
  "ohlc-chart": {
    kind: "candles",
    title: "Open, high, low, close",
    dimensions: ["x-axis"],
    measures: ["open", "high", "low", "close"],
    offeredIn: [],
  },
  "wordcloud-chart": {
    kind: "words",
    title: "Words",
    dimensions: ["category", "color"],
    measures: ["measure"],
    offeredIn: ["dashboards"],
  },
  "venn-diagram": {
    kind: "venn",
    title: "Overlapping sets",
    dimensions: ["category", "identifier"],
    measures: ["measure"],
    offeredIn: [],
  },
  "slicer-filter": {
    kind: "filter",
    title: "List of values",
    dimensions: ["dimension"],
    measures: ["measure"],
    offeredIn: [],
  },
  "dropdown-filter": {
    kind: "filter",
    title: "Choice of one value",
    dimensions: ["dimension"],
    measures: ["measure"],
    offeredIn: [],
  },
  "search-filter": {
    kind: "filter",
    title: "Search",
    dimensions: ["dimension"],
    measures: [],
    offeredIn: [],
  },
  "date-filter": {
    kind: "filter",
    title: "Range of dates",
    dimensions: [],
    measures: [],
    controls: ["dimension", "time"],
    offeredIn: [],
  },
  "date-comparison-filter": {
    kind: "filter",
    title: "Comparison of dates",
    dimensions: [],
    measures: [],
    controls: ["dimension", "time"],
    offeredIn: [],
  },
  "slider-filter": {
    kind: "filter",
    title: "Range of numbers",
    dimensions: [],
    measures: [],
    controls: ["dimension", "slidermetric"],
    offeredIn: [],
  },
  text: { kind: "text", title: "Text", dimensions: [], measures: [], offeredIn: [] },
  image: { kind: "image", title: "Image", dimensions: [], measures: [], offeredIn: [] },
  video: { kind: "video", title: "Video", dimensions: [], measures: [], offeredIn: [] },
  iframeobject: { kind: "page", title: "Web page", dimensions: [], measures: [], offeredIn: [] },
  spacer: { kind: "empty", title: "Spacer", dimensions: [], measures: [], offeredIn: [] },
} as const satisfies Readonly<Record<string, ItemTypeRow>>;

/** An item type that charts can draw. Items of other types are shown as tables. */
export type ItemType = keyof typeof itemTypes;

/** Returns whether an item type is known. */
export function isItemType(type: string): type is ItemType {
  return Object.hasOwn(itemTypes, type);
}

/** Returns how items of a type are drawn; undefined for an unknown type, whose data is shown as a table. */
export function kindOfItem(type: string): ItemTypeRow | undefined {
  return isItemType(type) ? itemTypes[type] : undefined;
}

/** Returns the row of the kind in which items of a type are drawn. Unknown types are drawn as tables. */
export function kindRowOf(type: string): KindRow {
  return itemKinds[kindOfItem(type)?.kind ?? "table"];
}

/** Returns the slots of an item type: of its dimensions, its measures and its controls. */
export function slotsOf(type: ItemType): readonly string[] {
  const { dimensions, measures, controls = [] }: ItemTypeRow = itemTypes[type];
  return [...new Set([...dimensions, ...measures, ...controls])];
}

/** Returns whether the pointer selects the value that is nearest along the horizontal axis. */
export function isReadAlongX(type: string): boolean {
  return kindRowOf(type).isReadAlongX === true;
}

/** Returns the item types that a menu offers, in the order of the menu. */
export function offeredTypes(menu: ItemMenu): readonly ItemType[] {
  return Object.keys(itemTypes)
    .filter(isItemType)
    .filter((type) => kindOfItem(type)?.offeredIn.includes(menu));
}
