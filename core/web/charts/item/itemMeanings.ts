import type { ItemType } from "./itemKinds.ts";

/** What a slot contains, and how many of its columns are drawn. */
export interface SlotMeaning {
  /** What the columns determine, as a phrase without a full stop. */
  readonly means: string;
  /** How many columns and formulas are drawn: at least `least`, and at most `most`. Absent `most`: any number. */
  readonly least: 0 | 1;
  readonly most?: 1 | 2;
}

interface MeaningRow {
  /** What the item shows, and what it is good for, as sentences. */
  readonly shows: string;
  /** The meanings of the item type's slots, by the name of the slot. */
  readonly slots: Readonly<Record<string, SlotMeaning>>;
  /** What this version does not draw although the item is accepted, as sentences. */
  readonly lacks?: string;
}

const one = (means: string) => ({ means, least: 1, most: 1 }) as const;
const oneOrNone = (means: string) => ({ means, least: 0, most: 1 }) as const;
const some = (means: string) => ({ means, least: 1 }) as const;
const any = (means: string) => ({ means, least: 0 }) as const;

const unread = oneOrNone("nothing: Manifold stores this slot, but ignores it");
const barSlots = {
  legend: oneOrNone("a color for each value, with a bar per color"),
  measure: some("the length of the bars. Several measures are drawn as several series"),
};
const lineSlots = {
  "x-axis": oneOrNone("the horizontal position: periods, numbers in bins, or categories"),
  legend: oneOrNone("a line for each value"),
  measure: some("the height. Several measures are drawn as several lines"),
};
const gaugeSlots = {
  measure: one("the value"),
  target: oneOrNone("the value at which the arc is full. It takes precedence over the options"),
};
const valueSlot = one("the column whose values the reader can choose");

/** What items of each type show, and what belongs in their slots. */
export const itemMeanings = {
  "column-chart": {
    shows:
      "Compares amounts by category, period or range of numbers. If the names do not fit below the columns, the chart draws bars.",
    slots: {
      "x-axis": oneOrNone("the columns: categories, periods or numbers in bins"),
      ...barSlots,
    },
  },
  "bar-chart": {
    shows: "Compares amounts by category. Long names fit, because they are next to the bars.",
    slots: { "y-axis": oneOrNone("the bars: categories, periods or numbers in bins"), ...barSlots },
  },
  "pyramid-chart": {
    shows: "Compares two groups by category.",
    slots: { "y-axis": oneOrNone("the bars: categories, periods or numbers in bins"), ...barSlots },
    lacks: "This version draws a bar chart instead of a pyramid.",
  },
  "line-chart": {
    shows: "Shows how values change over time. Missing periods leave gaps.",
    slots: lineSlots,
  },
  "area-chart": {
    shows: "Shows how a sum and its parts change over time. Several series are stacked.",
    slots: {
      ...lineSlots,
      legend: oneOrNone("an area for each value"),
      measure: some("the height. Several measures are drawn as several areas"),
    },
  },
  "combination-chart": {
    shows:
      "Shows several measures over the same periods, each as bars, a line, an area or dots, on one or two axes.",
    slots: {
      "x-axis": oneOrNone("the horizontal position: periods, numbers in bins, or categories"),
      measure: some("the measures, in the order of the option `measures`"),
    },
  },
  "donut-chart": {
    shows:
      "Shows the parts of a whole, largest first. The smallest slices are combined. Values that are not positive are not drawn.",
    slots: {
      category: oneOrNone("a slice for each value"),
      measure: some("the size of the slices. Without `category`, each measure is a slice"),
    },
  },
  "scatter-plot": {
    shows: "Shows how two measures are related, with a point per group.",
    slots: {
      "x-axis": one("the horizontal position"),
      "y-axis": one("the vertical position"),
      size: oneOrNone("the area of the points"),
      name: any("the groups, and the names of their points"),
      color: oneOrNone("a color for each value"),
    },
  },
  "bubble-chart": {
    shows: "Shows parts as packed circles. Their order has no meaning.",
    slots: {
      category: oneOrNone("a circle for each value"),
      color: oneOrNone("a color for each value"),
      measure: oneOrNone("the area of the circles. Without a measure, all have the same area"),
    },
  },
  "heat-table": {
    shows: "Shows a measure for each pair of values. Higher values are darker.",
    slots: {
      "y-axis": one("the rows"),
      "x-axis": one("the columns"),
      measure: oneOrNone("the color of the cells"),
    },
  },
  "box-plot": {
    shows:
      "Shows how single values are distributed. Boxes show the quartiles, and whiskers reach the last values within 1.5 times the interquartile range; other values are drawn as outliers. It reads at most 100,000 rows.",
    slots: {
      category: oneOrNone("a box for each value"),
      measure: one("the values. They are not aggregated"),
    },
  },
  "strip-plot": {
    shows: "Shows every single value as a dot. It reads at most 100,000 rows.",
    slots: {
      "y-axis": oneOrNone("a vertical strip for each value"),
      measure: one("the values. They are not aggregated"),
    },
  },
  "funnel-chart": {
    shows: "Shows the number that remains after each step, and its share of the first step.",
    slots: {
      category: oneOrNone("the steps"),
      measure: oneOrNone("the width of the steps. Without a measure, all have the same width"),
    },
  },
  "treemap-chart": {
    shows: "Shows many parts of a whole as areas, grouped by color.",
    slots: {
      category: oneOrNone("an area for each value"),
      color: oneOrNone("a color for each value"),
      measure: oneOrNone("the size of the areas. Without a measure, all have the same size"),
    },
  },
  "pivot-table": {
    shows: "Shows numbers by rows and columns. Several columns in a slot are nested.",
    slots: {
      row: any("the rows"),
      column: any("the columns"),
      measure: any("the numbers in the cells"),
    },
  },
  "regular-table": {
    shows:
      "Lists rows. A column with an aggregation is a measure, and the other columns then group the rows.",
    slots: { columns: some("the columns of the table, in order") },
  },
  "evolution-number": {
    shows:
      "Shows a single number. With periods, it shows the last period's number, compares it with the period before, and draws a line of all periods.",
    slots: {
      measure: {
        means: "the number. If there is a second measure, the number is compared with it",
        least: 1,
        most: 2,
      },
      evolution: oneOrNone("the periods"),
    },
  },
  "conditional-number": {
    shows: "Shows a single number, compared with a target.",
    slots: {
      measure: {
        means: "the number. A second measure replaces the target",
        least: 1,
        most: 2,
      },
      target: oneOrNone("the target"),
    },
  },
  "circular-gauge": {
    shows: "Shows a value as a share of its target.",
    slots: gaugeSlots,
  },
  "speedometer-chart": {
    shows: "Shows a value as a share of its target.",
    slots: gaugeSlots,
    lacks: "This version draws a gauge without a needle.",
  },
  "bullet-chart": {
    shows: "Compares values with their targets, by category.",
    slots: {
      category: oneOrNone("a bar for each value"),
      measure: one("the length of the bars"),
      target: oneOrNone("the targets, drawn as lines across the bars"),
    },
  },
  "slicer-filter": {
    shows: "Filters the dashboard by one or more values of a list.",
    slots: { dimension: valueSlot, measure: unread },
  },
  "dropdown-filter": {
    shows: "Filters the dashboard by one value.",
    slots: { dimension: valueSlot, measure: unread },
  },
  "search-filter": {
    shows: "Filters the dashboard by text that the reader enters.",
    slots: { dimension: one("the column that is searched") },
  },
  "date-filter": {
    shows: "Filters the dashboard by the first and the last day of a range.",
    slots: {
      dimension: oneOrNone("the datetime column"),
      time: oneOrNone("another name of `dimension`. Fill one of the two slots"),
    },
  },
  "date-comparison-filter": {
    shows: "Filters the dashboard by the first and the last day of a range.",
    slots: {
      dimension: oneOrNone("the datetime column"),
      time: oneOrNone("another name of `dimension`. Fill one of the two slots"),
    },
    lacks: "This version offers one range of dates, without a second range to compare with.",
  },
  "slider-filter": {
    shows: "Filters the dashboard by the lowest and the highest number of a range.",
    slots: {
      dimension: oneOrNone("the numeric column"),
      slidermetric: oneOrNone("another name of `dimension`. Fill one of the two slots"),
    },
  },
  text: { shows: "Shows headings and paragraphs.", slots: {} },
  spacer: { shows: "Leaves space empty.", slots: {} },
} as const satisfies Readonly<Record<ItemType, MeaningRow>>;
