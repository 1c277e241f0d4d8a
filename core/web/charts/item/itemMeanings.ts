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
const place = {
  means:
    "the places: names or ISO 3166 codes of countries, GeoJSON, WKT, WKB or `latitude,longitude`. Two numeric columns are a latitude and a longitude",
  least: 1,
  most: 2,
} as const;
const mapLacks = "Maps have no tiles, and readers cannot move or zoom them.";
const mediaLacks =
  "Pictures and files contain only the title and the address, because the host fetches nothing from other servers.";
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
  "choropleth-map": {
    shows:
      "Shows a measure by country or region: darker areas have higher values. Small countries are circles. Several rows of a place show the largest value.",
    slots: {
      geo: place,
      measure: oneOrNone("the color of the areas"),
      category: oneOrNone("a color for each value, instead of the measure"),
    },
    lacks: `Names of places other than countries are not found. ${mapLacks}`,
  },
  "symbol-map": {
    shows: "Shows amounts at places as circles.",
    slots: {
      geo: place,
      measure: oneOrNone("the area of the circles"),
      category: oneOrNone("a color for each value"),
    },
    lacks: mapLacks,
  },
  "marker-map": {
    shows:
      "Shows places as pins. Pins that are close to each other become a circle with their number.",
    slots: { geo: place, measure: oneOrNone("the number in the tooltip") },
    lacks: mapLacks,
  },
  "spike-map": {
    shows: "Shows amounts at places as spikes, which stay apart where circles would overlap.",
    slots: {
      geo: place,
      measure: oneOrNone("the height of the spikes"),
      color: oneOrNone("a color for each value"),
    },
    lacks: `Numbers in the slot \`color\` have no classes. ${mapLacks}`,
  },
  "hexbin-map": {
    shows: "Counts or sums the rows of many places in hexagons.",
    slots: {
      geo: place,
      measure: oneOrNone("the number that a hexagon sums. Without it, rows are counted"),
    },
    lacks: mapLacks,
  },
  "heat-map": {
    shows: "Shows where many places are close to each other, as bands of color.",
    slots: {
      geo: place,
      measure: oneOrNone("how much a place counts. Without it, places count once"),
    },
    lacks: mapLacks,
  },
  "route-map": {
    shows:
      "Joins the places of routes by the shortest ways on the earth, or draws lines of a column.",
    slots: {
      geo: place,
      order: oneOrNone(
        "the order of the places, a number or datetime. Without it, the order of the rows",
      ),
      route: oneOrNone("a route for each value"),
      legend: oneOrNone("a color for each value"),
    },
    lacks: mapLacks,
  },
  "sankey-diagram": {
    shows:
      "Shows how amounts flow from step to step. A value that occurs as a source and as a destination is one step. Flows that lead back are left out and counted.",
    slots: {
      source: oneOrNone("the start of the flows"),
      destination: oneOrNone("the end of the flows"),
      category: any("the stages of an alluvial diagram, in order, instead of the two other slots"),
      measure: oneOrNone("the width of the flows. Without it, rows are counted"),
    },
  },
  "sunburst-chart": {
    shows: "Shows parts of a whole over several levels, as rings around the total.",
    slots: {
      levels: some("the rings, from the inner to the outer one"),
      measure: oneOrNone("the angle of the parts. Without it, all have the same angle"),
    },
  },
  "circle-pack-chart": {
    shows: "Shows parts of a whole over several levels, as circles within circles.",
    slots: {
      levels: some("the circles, from the outer to the inner ones"),
      measure: oneOrNone("the area of the innermost circles. Without it, all have the same area"),
    },
  },
  "radar-chart": {
    shows: "Compares the profiles of a few series over the same categories.",
    slots: {
      category: one("the axes around the middle"),
      measure: some("the distance from the middle. Several measures are drawn as several lines"),
      color: oneOrNone("a line for each value"),
      legend: oneOrNone("another name of `color`. Fill one of the two slots"),
    },
  },
  "parallel-coordinates-plot": {
    shows:
      "Compares rows over many columns: each row is a line that crosses an axis per column. It reads at most 10,000 rows, and draws 2,000.",
    slots: {
      coordinates: some("the axes, in order. Values without an aggregation are not grouped"),
      color: oneOrNone("a color for each value"),
    },
  },
  "ohlc-chart": {
    shows: "Shows the first, highest, lowest and last value of periods, such as prices of days.",
    slots: {
      "x-axis": oneOrNone("the periods"),
      open: one("the first value"),
      high: one("the highest value"),
      low: one("the lowest value"),
      close: one("the last value"),
    },
  },
  "wordcloud-chart": {
    shows: "Shows words in sizes that depend on their values. At most 150 words are drawn.",
    slots: {
      category: one("the words"),
      measure: oneOrNone("the size of the words. Without it, all have the same size"),
      color: oneOrNone("a color for each value"),
    },
    lacks: "Words are always horizontal.",
  },
  "venn-diagram": {
    shows:
      "Shows how two or three sets overlap, as circles in proportion to their elements. More sets are bars, one for each combination.",
    slots: {
      category: one("the sets"),
      identifier: one("the elements, which may be in several sets"),
      measure: oneOrNone("how much an element counts. Without it, elements count once"),
    },
    lacks: "Areas that three circles share are not exactly in proportion; the numbers are.",
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
    shows:
      "Filters the dashboard by the first and the last day of a range. Measures that are compared with an earlier period are compared with the period before the range, with the same period a year earlier, or with as many days from a day that the reader chooses.",
    slots: {
      dimension: oneOrNone("the datetime column"),
      time: oneOrNone("another name of `dimension`. Fill one of the two slots"),
    },
    lacks: "Readers cannot choose a second range of any dates.",
  },
  "slider-filter": {
    shows: "Filters the dashboard by the lowest and the highest number of a range.",
    slots: {
      dimension: oneOrNone("the numeric column"),
      slidermetric: oneOrNone("another name of `dimension`. Fill one of the two slots"),
    },
  },
  text: { shows: "Shows headings and paragraphs.", slots: {} },
  image: {
    shows:
      "Shows an image from another server. Its title is the text that screen readers read instead of the image.",
    slots: {},
    lacks: mediaLacks,
  },
  video: {
    shows: "Shows a video file from another server, or a video of YouTube.",
    slots: {},
    lacks: mediaLacks,
  },
  iframeobject: {
    shows:
      "Shows a web page in a frame. The frame has no access to the page around it, to cookies or to storage.",
    slots: {},
    lacks: mediaLacks,
  },
  spacer: { shows: "Leaves space empty.", slots: {} },
} as const satisfies Readonly<Record<ItemType, MeaningRow>>;
