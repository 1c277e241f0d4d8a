import type { CalculationType } from "../item/item.ts";
import type { ItemKind } from "../item/itemKinds.ts";
import type { Plural, With } from "./templates.ts";

/** The words of one language that pictures show in addition to data. */
export interface Words {
  /** The title of an item without a title of its own. */
  readonly by: With<"measures"> & With<"dimensions">;
  readonly other: string;
  readonly empty: string;
  readonly total: string;
  readonly rows: Plural;
  /** Rows that a picture counts instead of showing them. */
  readonly moreRows: Plural;
  readonly unknownType: string;
  readonly more: With<"amount"> & With<"name">;
  readonly less: With<"amount"> & With<"name">;
  readonly same: With<"name">;
  readonly all: string;
  readonly none: string;
  readonly error: string;
  readonly notFromZero: string;
  readonly notShown: With<"names">;
  readonly target: string;
  readonly noTotals: string;
  /** Sentences about parts of a whole, such as `{shown}` of the `{count}` values of the column `{name}`. */
  readonly shownOf: With<"name"> & With<"shown"> & With<"count">;
  readonly topOf: With<"name"> & With<"shown"> & With<"count">;
  readonly newestOf: With<"name"> & With<"shown"> & With<"count"> & With<"from">;
  readonly rowsOf: With<"shown"> & With<"count">;
  readonly cellsOf: With<"shown"> & With<"count">;
  readonly moreThan: With<"count">;
  readonly moreNames: With<"count">;
  /** Values that a kind of picture cannot draw. */
  readonly notAboveZero: With<"count">;
  readonly withoutPlace: With<"count">;
  /** Names of strings that nobody could see. */
  readonly emptyText: string;
  readonly spaces: string;
  /** Notes below a chart. */
  readonly unfinished: string;
  readonly logAxis: string;
  readonly linearAxis: string;
  readonly notOnLog: string;
  readonly beyondAxis: string;
  /** Names of computed guidelines. */
  readonly average: string;
  readonly median: string;
  readonly minimum: string;
  readonly maximum: string;
  readonly labelsHidden: string;
  readonly columns: Plural;
  readonly moreColumns: Plural;
  /** Names of measures that the host calculates from all groups. */
  readonly calculated: Readonly<Record<CalculationType, With<"name">>>;
  /** What separates the names of a list. */
  readonly comma: string;
  /** What screen readers call a picture. */
  readonly kinds: Readonly<Record<ItemKind, string>>;
}

/** The words of pictures in English, which are always loaded. */
export const english: Words = {
  by: "{measures} by {dimensions}",
  other: "Other",
  empty: "No data",
  total: "Total",
  rows: { one: "{count} row", other: "{count} rows" },
  moreRows: { one: "+ {count} more row", other: "+ {count} more rows" },
  unknownType: "Shown as a table: charts of this type are not supported",
  more: "{amount} more than {name}",
  less: "{amount} less than {name}",
  same: "same as {name}",
  all: "All",
  none: "(none)",
  error: "This item could not be loaded",
  notFromZero: "axis does not start at 0",
  notShown: "not shown: {names}",
  target: "Target",
  noTotals: "no totals with a filter on groups",
  shownOf: "{name}: {shown} of {count} shown",
  topOf: "{name}: top {shown} of {count}",
  newestOf: "{name}: the latest {shown} of {count} periods, from {from}",
  rowsOf: "{shown} of {count} rows",
  cellsOf: "{shown} of {count} cells",
  moreThan: "more than {count}",
  moreNames: "+ {count} more",
  notAboveZero: "Not drawn because not above 0: {count}",
  withoutPlace: "Rows without both numbers are not drawn: {count}",
  emptyText: "(empty)",
  spaces: "(blank)",
  unfinished: "not over yet",
  logAxis: "logarithmic axis",
  linearAxis: "linear axis: a logarithmic axis needs positive values that are not stacked",
  notOnLog: "values of 0 or less are not shown",
  beyondAxis: "values beyond the axis are cut off",
  average: "average",
  median: "median",
  minimum: "minimum",
  maximum: "maximum",
  labelsHidden: "labels do not fit",
  columns: { one: "{count} column", other: "{count} columns" },
  moreColumns: { one: "+ {count} more column", other: "+ {count} more columns" },
  calculated: {
    past: "{name} (earlier)",
    absolute_change: "{name} (change)",
    percentage_change: "{name} (change in %)",
    share_of_total: "{name} (share)",
    rank: "{name} (rank)",
  },
  comma: ", ",
  kinds: {
    bars: "Bar chart",
    lines: "Line chart",
    combination: "Combined chart",
    number: "Number",
    gauge: "Gauge",
    bullet: "Bullet chart",
    table: "Table",
    pivot: "Pivot table",
    slices: "Pie chart",
    points: "Scatter plot",
    bubbles: "Bubble chart",
    heatTable: "Heat table",
    boxes: "Box plot",
    funnel: "Funnel chart",
    treemap: "Treemap",
    regions: "Choropleth map",
    symbols: "Symbol map",
    markers: "Marker map",
    spikes: "Spike map",
    hexagons: "Hexbin map",
    density: "Density map",
    routes: "Route map",
    sankey: "Sankey diagram",
    rings: "Sunburst",
    packs: "Circle packing",
    radar: "Radar chart",
    coordinates: "Parallel coordinates",
    candles: "Price chart",
    words: "Word cloud",
    venn: "Venn diagram",
    filter: "Filter",
    text: "Text",
    image: "Image",
    video: "Video",
    page: "Web page",
    empty: "Empty",
  },
};
