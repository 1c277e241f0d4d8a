/**
 * A group of kinds that a page loads together as one script. Kinds of the family "early" are part of the first script.
 */
export type KindFamily = "early" | "arcs" | "grids" | "hierarchies" | "spreads";

interface KindRow {
  /** The name of the kind in descriptions of pictures. */
  readonly name: string;
  readonly family: KindFamily;
  /** Whether the kind is drawn from rows. Other kinds show their content without rows. */
  readonly hasRows: boolean;
  /** Whether categories without their own order are sorted by their first measure. */
  readonly isByValue: boolean;
  /** Whether the pointer selects the value that is nearest along the horizontal axis, as in line charts. */
  readonly isReadAlongX?: true;
}

/** The kinds of pictures in which items are drawn, by name. */
export const itemKinds = {
  bars: { name: "Bar chart", family: "early", hasRows: true, isByValue: true },
  lines: {
    name: "Line chart",
    family: "early",
    hasRows: true,
    isByValue: false,
    isReadAlongX: true,
  },
  combination: {
    name: "Combined chart",
    family: "early",
    hasRows: true,
    isByValue: false,
    isReadAlongX: true,
  },
  number: { name: "Number", family: "early", hasRows: true, isByValue: false },
  gauge: { name: "Gauge", family: "arcs", hasRows: true, isByValue: false },
  bullet: { name: "Bullet chart", family: "spreads", hasRows: true, isByValue: false },
  table: { name: "Table", family: "early", hasRows: true, isByValue: false },
  pivot: { name: "Pivot table", family: "grids", hasRows: true, isByValue: false },
  slices: { name: "Pie chart", family: "arcs", hasRows: true, isByValue: true },
  points: { name: "Scatter plot", family: "spreads", hasRows: true, isByValue: false },
  bubbles: { name: "Bubble chart", family: "hierarchies", hasRows: true, isByValue: true },
  heatTable: { name: "Heat table", family: "grids", hasRows: true, isByValue: false },
  boxes: { name: "Box plot", family: "spreads", hasRows: true, isByValue: false },
  funnel: { name: "Funnel chart", family: "hierarchies", hasRows: true, isByValue: true },
  treemap: { name: "Treemap", family: "hierarchies", hasRows: true, isByValue: true },
  filter: { name: "Filter", family: "early", hasRows: false, isByValue: false },
  text: { name: "Text", family: "early", hasRows: false, isByValue: false },
  empty: { name: "Empty", family: "early", hasRows: false, isByValue: false },
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

/** Returns the slots of an item type: of its dimensions, its measures and its controls. */
export function slotsOf(type: ItemType): readonly string[] {
  const { dimensions, measures, controls = [] }: ItemTypeRow = itemTypes[type];
  return [...new Set([...dimensions, ...measures, ...controls])];
}

/** Returns whether the pointer selects the value that is nearest along the horizontal axis. */
export function isReadAlongX(type: string): boolean {
  const item = kindOfItem(type);
  const row: KindRow | undefined = item && itemKinds[item.kind];
  return row?.isReadAlongX === true;
}

/** Returns the item types that a menu offers, in the order of the menu. */
export function offeredTypes(menu: ItemMenu): readonly ItemType[] {
  return Object.keys(itemTypes)
    .filter(isItemType)
    .filter((type) => kindOfItem(type)?.offeredIn.includes(menu));
}
