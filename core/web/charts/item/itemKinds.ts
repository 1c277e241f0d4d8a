/** The kinds of pictures of items. */
export type ItemKind =
  | "bars"
  | "lines"
  | "combination"
  | "number"
  | "gauge"
  | "bullet"
  | "table"
  | "pivot"
  | "slices"
  | "points"
  | "bubbles"
  | "heatTable"
  | "boxes"
  | "funnel"
  | "treemap"
  | "filter"
  | "text"
  | "empty";

interface KindOfItem {
  readonly kind: ItemKind;
  /** Slots by which rows are grouped, in the order of the cells of an answer; measures follow. */
  readonly dimensions: readonly string[];
  readonly measures: readonly string[];
}

const kindOf = (
  kind: ItemKind,
  dimensions: readonly string[],
  measures: readonly string[] = ["measure"],
): KindOfItem => ({ kind, dimensions, measures });

/** Item types of stored dashboards with their slots: package `@luzmo/dashboard-contents-types` 1.0.31. */
const kinds: Readonly<Record<string, KindOfItem>> = {
  "bar-chart": kindOf("bars", ["y-axis", "legend"]),
  "column-chart": kindOf("bars", ["x-axis", "legend"]),
  "pyramid-chart": kindOf("bars", ["y-axis", "legend"]),
  "line-chart": kindOf("lines", ["x-axis", "legend"]),
  "area-chart": kindOf("lines", ["x-axis", "legend"]),
  "combination-chart": kindOf("combination", ["x-axis"]),
  "evolution-number": kindOf("number", ["evolution"]),
  "conditional-number": kindOf("number", [], ["measure", "target"]),
  "circular-gauge": kindOf("gauge", [], ["measure", "target"]),
  "speedometer-chart": kindOf("gauge", [], ["measure", "target"]),
  "bullet-chart": kindOf("bullet", ["category"], ["measure", "target"]),
  "regular-table": kindOf("table", ["columns"], []),
  "pivot-table": kindOf("pivot", ["row", "column"]),
  "donut-chart": kindOf("slices", ["category"]),
  "scatter-plot": kindOf("points", ["name", "color"], ["x-axis", "y-axis", "size"]),
  "bubble-chart": kindOf("bubbles", ["category", "color"]),
  "heat-table": kindOf("heatTable", ["y-axis", "x-axis"]),
  "box-plot": kindOf("boxes", ["category"]),
  "strip-plot": kindOf("boxes", ["y-axis"]),
  "funnel-chart": kindOf("funnel", ["category"]),
  "treemap-chart": kindOf("treemap", ["category", "color"]),
  "slicer-filter": kindOf("filter", ["dimension"]),
  "dropdown-filter": kindOf("filter", ["dimension"]),
  "search-filter": kindOf("filter", ["dimension"], []),
  "date-filter": kindOf("filter", [], []),
  "date-comparison-filter": kindOf("filter", [], []),
  "slider-filter": kindOf("filter", [], []),
  text: kindOf("text", [], []),
  spacer: kindOf("empty", [], []),
};

/** Returns how an item of a type is drawn; undefined for an unknown type, whose data are shown as a table. */
export function kindOfItem(type: string): KindOfItem | undefined {
  return Object.hasOwn(kinds, type) ? kinds[type] : undefined;
}
