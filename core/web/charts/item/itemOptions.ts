import { colorSchemes } from "./colorSchemes.ts";
import { itemTypes, type ItemKind, type ItemType } from "./itemKinds.ts";

/**
 * The form of an option, as a JSON Schema without references. `anyOf` lists alternatives. Objects may have members that
 * charts do not read.
 */
export type OptionForm = {
  /** What a member of an option means, as sentences. The row of the option describes the option itself. */
  readonly description?: string;
} & (
  | { readonly type: "boolean" | "string" | "number" | "integer"; readonly minimum?: number }
  | { readonly enum: readonly (string | number)[] }
  /** A column or formula, in the form of an entry in a slot. */
  | { readonly type: "column" }
  | { readonly type: "array"; readonly items: OptionForm }
  | { readonly type: "object"; readonly properties: Readonly<Record<string, OptionForm>> }
  | { readonly type: "object"; readonly values: OptionForm }
  | { readonly anyOf: readonly OptionForm[] }
);

interface OptionRow {
  readonly form: OptionForm;
  /** What the option does, as sentences. */
  readonly description: string;
  /** The kinds that read the option; absent for all kinds. */
  readonly kinds?: readonly ItemKind[];
  /** Forms of the option that apply to particular kinds instead of the common form. */
  readonly formOf?: Readonly<Partial<Record<ItemKind, OptionForm>>>;
}

const flag = { type: "boolean" } as const;
const number = { type: "number" } as const;
const text = { type: "string" } as const;
const object = <Properties extends Readonly<Record<string, OptionForm>>>(properties: Properties) =>
  ({ type: "object", properties }) as const;
/** A string, or one per language. */
const texts = { anyOf: [text, { type: "object", values: text }] } as const;
const numbered: readonly ItemKind[] = ["gauge", "number", "bullet"];
const tables: readonly ItemKind[] = ["table", "pivot"];
const charts: readonly ItemKind[] = [
  "bars",
  "lines",
  "combination",
  "slices",
  "points",
  "bubbles",
  "heatTable",
  "boxes",
  "funnel",
  "treemap",
  "regions",
  "symbols",
  "markers",
  "spikes",
  "hexagons",
  "density",
  "routes",
  "sankey",
  "rings",
  "packs",
  "radar",
  "coordinates",
  "candles",
  "words",
  "venn",
];

const filters: readonly ItemKind[] = ["filter"];
const media: readonly ItemKind[] = ["image", "video", "page"];
/** Addresses from which pages load something have to be encrypted. */
const mustBeSecure = "It must begin with `https://`";
const title = { ...flag, description: "`false` hides the title." } as const;
/** A range of dates that a filter offers. */
const dateRange = object({
  key: {
    ...text,
    description:
      "Which dates: `last_now`, `last_completed`, `last_available` (or `last`), `to_date`, `ago`, `next_now`, `next_full`, `more_than_ago`, `or_more_ago`, as in queries, or `custom`. Ranges with other keys are not offered.",
  },
  unit: {
    type: "integer",
    minimum: 1,
    description: "The period, as a datetime level from 1 (year) to 8 (second).",
  },
  quantity: { type: "integer", minimum: 0, description: "The number of periods." },
  displayLabel: { ...texts, description: "Name of the range. Absent: the range in words." },
  customRange: {
    ...object({
      from: { ...text, description: "The first day or instant." },
      to: { ...text, description: "The last day or instant." },
    }),
    description: "The dates of a range with the key `custom`.",
  },
});

const aligned = (what: string) =>
  object({
    align: {
      enum: ["left", "center", "right"],
      description: `The side at which ${what} stand. Absent: right for numbers, left for other values.`,
    },
  });

const barsAndLines: readonly ItemKind[] = ["bars", "lines", "combination"];
const linesOnly: readonly ItemKind[] = ["lines", "combination"];

/** The kinds whose series are named in a legend. */
const withLegend: readonly ItemKind[] = [
  "bars",
  "lines",
  "combination",
  "points",
  "bubbles",
  "treemap",
];
const displayWithLegend = object({
  title: { ...flag, description: "`false` hides the title." },
  legend: { ...flag, description: "`false` hides the names of the series." },
});

const difference = {
  enum: ["normal", "percentage", "difference"],
  description:
    "Whether the number is the value, its share of the target, or its difference from the target.",
} as const;

/** What is written below the name of a part. */
const partValues = { enum: ["none", "percentage", "absolute"] } as const;
const opaqueColor = (what: string) => ({
  ...text,
  description: `Color of ${what}, such as \`#1A2B3C\`.`,
});
/** The name of a color scheme. */
const colorScheme = {
  enum: [...colorSchemes],
  description: "Name of a color scheme for the classes.",
} as const;
/** Ranges of numbers with their colors. */
const ranges = (description: string) =>
  ({
    type: "array",
    items: tableColumn.properties.conditional.items,
    description,
  }) as const;

const axis = {
  color: {
    ...text,
    description: "Color of the labels and of the line of the axis, such as `#1A2B3C`.",
  },
  ticksMode: {
    enum: ["ticks", "hide", "gridlines"],
    description:
      "Whether the axis has labels (`ticks`), nothing (`hide`), or labels and grid lines.",
  },
};
const ticksDensity = {
  enum: ["compact", "normal", "sparse"],
  description: "How close the ticks of numbers are: `compact` is twice as many as `normal`.",
} as const;
const numberAxis = {
  ...axis,
  ticksDensity,
  scale: {
    enum: ["linear", "logarithmic"],
    description:
      "The scale of an axis of numbers. Stacks, and data without positive numbers, stay on a linear axis, with a note.",
  },
  scaleLogBase: {
    ...number,
    description: "Base of a logarithmic scale, above 1.",
  },
  type: {
    enum: ["default", "manual", "variable"],
    description:
      "How the range of an axis of numbers is chosen: from the data, from `manualAxesRange`, or so close to the data that 0 may be missing (`variable`; bars and areas always start at 0).",
  },
  manualAxesRange: {
    type: "array",
    items: number,
    description:
      "The lowest and the highest number of the axis, in this order, with `type: manual`.",
  },
} as const;
const grid = object({
  enabled: {
    ...flag,
    description:
      "`true` draws grid lines, `false` draws none. It takes precedence over `ticksMode`.",
  },
  style: { enum: ["solid", "dotted", "dashed"], description: "How the grid lines are drawn." },
  opacity: { ...number, description: "Opacity of the grid lines, from 0 to 1." },
});
const axisLabel = (positions: readonly string[], description: string) => ({
  ...object({
    enabled: { ...flag, description: "`true` writes the name of the axis next to it." },
    position: { enum: positions, description: "Where along the axis the name stands." },
  }),
  description,
});
const interpolation = {
  enum: ["linear", "step-before", "step-after", "monotone"],
  description:
    "The line between two values: straight, in steps that change before or after a value, or a curve.",
} as const;
const missingValue = object({
  type: {
    enum: ["no", "break", "manual"],
    description:
      "What a period without rows shows: nothing, so that the line connects its neighbors (`no`), a gap (`break`), or `value` (`manual`).",
  },
  value: { ...number, description: "The number of missing periods, with `type: manual`." },
});
const secondAxis = {
  ...object({
    ...numberAxis,
    active: { ...flag, description: "`true` draws the second axis." },
    measureIndexes: {
      type: "array",
      items: { type: "integer", minimum: 0 },
      description: "Measures on the second axis, by their position in the slot, from 0.",
    },
  }),
  description: "The second vertical axis, on the opposite side.",
} as const;
const lineAxes = object({
  x: { ...object(axis), description: "The horizontal axis." },
  y: { ...object(numberAxis), description: "The first vertical axis." },
  y2: secondAxis,
});
const axisLabels = {
  x: axisLabel(["left", "center", "right"], "The name of the horizontal axis."),
  y: axisLabel(["top", "middle", "bottom"], "The name of the vertical axis."),
};
const lineAxisLabels = object({
  ...axisLabels,
  y2: axisLabel(["top", "middle", "bottom"], "The name of the second vertical axis."),
});
const grids = {
  x: { ...grid, description: "The grid lines at the ticks of the horizontal axis." },
  y: { ...grid, description: "The grid lines at the ticks of the vertical axis." },
};
const lineGrid = object({
  ...grids,
  y2: { ...grid, description: "The grid lines at the ticks of the second vertical axis." },
});
const strokeWidth = {
  ...number,
  minimum: 1,
  description: "Width of lines in pixels, from 1 to 20.",
} as const;

const itemsBackground = {
  ...text,
  description: "Background of the item. Text on it keeps a readable color.",
} as const;
const groundOnly = object({ itemsBackground });
/** Videos by language. */
const videoSources = {
  type: "object",
  values: {
    type: "array",
    items: object({
      src: { ...text, description: "The address of the video." },
      type: { ...text, description: "Media type of the file, such as `video/mp4`." },
    }),
  },
} as const;

const tableColumn = object({
  slotContentId: {
    ...text,
    description:
      "The column to which this look applies: the `id` of an entry in the slot, or the id of a column or formula.",
  },
  id: { ...text, description: "The same as `slotContentId`, which takes precedence." },
  mode: {
    enum: [
      "normal",
      "bar",
      "conditionalText",
      "conditionalBackground",
      "conditionalBadge",
      "categoryBackground",
      "categoryBadge",
    ],
    description:
      "How values are drawn: as plain text, with bars, in the colors of `conditional`, or in the colors that values have in charts.",
  },
  barColor: {
    ...text,
    description: "Color of the bars, such as `#1A2B3C`. Absent: the first color of the theme.",
  },
  target: {
    enum: ["max", "total", "manual"],
    description:
      "The number that the longest bar represents: the largest number (the default), the sum, or `manualTarget`.",
  },
  manualTarget: {
    ...number,
    description: "The number that the longest bar represents with `target: manual`.",
  },
  conditional: {
    type: "array",
    items: object({
      color: { ...text, description: "Color of the numbers in the range, such as `#1A2B3C`." },
      val: {
        ...number,
        description: "The lowest number of the range, which ends at the next `val`.",
      },
      isNegativeInfinityRange: {
        ...flag,
        description: "`true` starts the range below all numbers; `val` is ignored.",
      },
    }),
    description: "Colors of ranges of numbers. Only the first 100 ranges are used.",
  },
  colorEmpty: { ...flag, description: "`true` colors cells without a value in `emptyValueColor`." },
  emptyValueColor: { ...text, description: "Color of cells without a value, such as `#1A2B3C`." },
  hideDataValues: { ...flag, description: "`true` hides the values, but not the bars and colors." },
  width: {
    type: "object",
    values: number,
    description: "Width of the column in pixels, by kind of screen, such as `{desktop: 120}`.",
  },
});

const targetValue = object({
  target: {
    ...number,
    description:
      "The number that a full gauge represents. A column in the slot `target` replaces it.",
  },
});

/**
 * The options of items that charts read, from package `@luzmo/dashboard-contents-types` 1.0.31. Charts ignore values of
 * other forms. Custom charts receive all options.
 */
const itemOptions = {
  title: { form: texts, description: "Title of the item: a string, or one per language." },
  display: {
    form: object({ title }),
    description: "Parts of the item that can be hidden.",
    formOf: {
      ...Object.fromEntries(withLegend.map((kind) => [kind, displayWithLegend])),
      slices: object({
        ...displayWithLegend.properties,
        legend: { ...flag, description: "`false` hides the list of the slices." },
        values: {
          enum: ["none", "percentage", "absolute"],
          description: "What is written on the slices: nothing, their shares, or their values.",
        },
      }),
      bubbles: object({
        ...displayWithLegend.properties,
        bubbleLabels: { ...flag, description: "`false` hides the names in the circles." },
        bubbleValues: { ...partValues, description: "What is written below the names." },
      }),
      treemap: object({
        ...displayWithLegend.properties,
        labels: { ...flag, description: "`false` hides the names in the rectangles." },
        values: { ...partValues, description: "What is written below the names." },
      }),
      gauge: object({
        title: displayWithLegend.properties.title,
        gaugeValue: { ...flag, description: "`false` hides the number in the gauge." },
        gaugeLabel: { ...flag, description: "`false` hides the line about the target." },
      }),
      filter: object({
        title,
        search: { ...flag, description: "`false` hides the search box of a list." },
        clear: { ...flag, description: "`false` removes the entry “All” of a menu." },
        placeholder: { ...flag, description: "`false` hides the placeholder." },
      }),
    },
  },
  legend: {
    form: object({
      position: {
        enum: [
          "topLeft",
          "top",
          "topRight",
          "right",
          "bottomRight",
          "bottom",
          "bottomLeft",
          "left",
        ],
        description: "Where the names of the series stand.",
      },
    }),
    description: "The names of the series.",
    kinds: withLegend,
  },
  theme: {
    form: object({
      itemsBackground,
      colors: {
        type: "array",
        items: text,
        description: "Colors of the series of the item. Colors of stored values take precedence.",
      },
    }),
    description: "The theme of the item, instead of that of the dashboard.",
    kinds: [...charts, ...tables, ...numbered, ...media],
    formOf: {
      ...Object.fromEntries(media.map((kind) => [kind, groundOnly])),
      // Their colors show numbers or prices, and do not come from the series.
      heatTable: groundOnly,
      hexagons: groundOnly,
      density: groundOnly,
      candles: groundOnly,
    },
  },
  interactivity: {
    form: object({
      exportTypes: {
        type: "array",
        items: { enum: ["xlsx", "csv", "xlsx-raw", "csv-raw", "png", "base64"] },
        description:
          "Types of files that the menu of the item offers. `png` stands for all pictures: PNG, PDF and SVG. An empty list offers no files. Absent: all types that the item has.",
      },
      customTooltip: {
        ...texts,
        description: "A text in every tooltip, above the values: a string, or one per language.",
      },
      urlConfig: {
        ...object({
          url: {
            ...texts,
            description:
              "The address, which must begin with `https://` or `http://`: a string, or one per language. After the host, `{x-axis}` stands for the value of the mark in the slot `x-axis`.",
          },
          target: {
            enum: ["_blank", "_self", "_parent"],
            description: "Where the address opens.",
          },
        }),
        description:
          "An address that readers open with a button, or from a mark if the address contains values of the mark.",
      },
      measureDimensionPicker: {
        type: "array",
        items: object({
          slot: { ...text, description: "The slot whose content readers can change." },
          values: {
            type: "array",
            items: { type: "column" },
            description:
              "The columns and formulas from which readers choose one. At most 50 are offered.",
          },
        }),
        description: "What readers can show instead of the stored columns.",
      },
      customEvents: {
        ...object({
          events: {
            type: "array",
            items: object({
              name: { ...text, description: "Name of the event, for the page." },
              label: {
                ...texts,
                description: "What readers choose: a string, or one per language.",
              },
            }),
            description: "The events. At most 20 are offered.",
          },
          extraData: {
            type: "array",
            items: { type: "column" },
            description:
              "Columns and formulas whose values for the rows of the mark accompany the events, as `extraData`; at most 20. Values of columns without an aggregation are listed, at most 100 rows.",
          },
        }),
        description:
          "Events that the element sends to its page (`customevent`) when a reader chooses a mark. Several events are offered in a menu.",
      },
    }),
    description: "What readers can do with the item on a page.",
    kinds: [...charts, ...tables, ...numbered],
  },
  limit: {
    form: object({
      number: {
        type: "integer",
        minimum: 1,
        description: "Maximum number of groups or rows, at least 1.",
      },
    }),
    description:
      "How many groups or rows the item shows. The picture says how many it leaves out. Absent: as many as the picture can show.",
    kinds: [...charts, ...tables, ...numbered, ...filters],
    formOf: {
      pivot: object({
        number: {
          type: "integer",
          minimum: 1,
          description: "Maximum number of cells that the item requests, at least 1.",
        },
        rows: {
          type: "integer",
          minimum: 1,
          description: "Maximum number of rows that the table shows, at least 1.",
        },
        columns: {
          type: "integer",
          minimum: 1,
          description: "Maximum number of columns that the table shows, at least 1.",
        },
      }),
    },
  },
  sort: {
    form: object({
      by: {
        enum: ["category", "measure"],
        description: "Whether groups are sorted by their first category or by their first measure.",
      },
      direction: {
        enum: ["asc", "desc"],
        description:
          "Whether the order is ascending (`asc`) or descending (`desc`). Absent: `desc`.",
      },
    }),
    description: "The order of the groups. Absent: an order that suits the type of the item.",
    kinds: [...charts, ...tables, ...numbered, ...filters],
    formOf: {
      routes: object({
        by: { enum: ["category"], description: "Sorts the rows by their first column." },
        direction: {
          enum: ["asc", "desc"],
          description:
            "Whether the order is ascending (`asc`) or descending (`desc`, the default).",
        },
      }),
      filter: object({
        direction: {
          enum: ["asc", "desc"],
          description: "Whether the values of a list ascend (`asc`) or descend (`desc`).",
        },
      }),
    },
  },
  mode: {
    form: { enum: ["grouped", "stacked", "100"] },
    description:
      "How the parts are drawn. Bars are next to each other, stacked, or stacked to 100 %; slices form a ring or a pie. Areas are stacked, stacked to 100 %, drawn over each other (`unstacked`) or stacked around the middle (`stream`); line charts ignore this option. Prices are lines or candlesticks.",
    kinds: ["bars", "lines", "slices", "treemap", "gauge", "number", "candles", "image"],
    formOf: {
      image: {
        enum: ["noResize", "compress", "fit", "fitHorizontal", "fitVertical", "fill", "stretch"],
        description:
          "How the image fits: in its own size (`noResize`), smaller if it is too large (`compress`), as large as it fits (`fit`), as wide or as high as the item, over the whole item and cut (`fill`), or stretched.",
      },
      slices: { enum: ["donut", "pie"] },
      candles: { enum: ["ohlc", "candlestick"] },
      treemap: {
        enum: ["squarify", "slice", "dice", "slice-dice"],
        description:
          "How the rectangles are arranged: as squares, in rows, in columns, or alternating.",
      },
      gauge: difference,
      number: difference,
      lines: { enum: ["100", "unstacked", "stacked", "stream"] },
    },
  },
  color: {
    form: text,
    description:
      "Color of the bars, lines, areas, points, marks or parts of a picture with a single series, or of the number, such as `#1A2B3C`.",
    kinds: [
      "bars",
      "lines",
      "points",
      "bubbles",
      "treemap",
      "bullet",
      "number",
      "regions",
      "symbols",
      "markers",
      "spikes",
    ],
  },
  categories: {
    form: object({
      colored: {
        ...flag,
        description: "`true` draws each category of a single series in its own color.",
      },
    }),
    description: "The look of categories.",
    kinds: ["bars", "bubbles", "treemap", "words"],
    formOf: {
      words: object({
        colored: { ...flag, description: "`false` draws all words in the same color." },
      }),
    },
  },
  bars: {
    form: object({
      label: {
        enum: [
          "none",
          "absolute",
          "percentage",
          "percentageLegend",
          "percentageCategory",
          "percentageMax",
        ],
        description:
          "The text at a bar: its value, or its share of the sum of all bars, of its series, of its category, or of the largest bar.",
      },
      roundedCorners: {
        ...number,
        minimum: 0,
        description: "Radius of the corners in pixels, from 0 to 20.",
      },
      totals: { ...flag, description: "`true` writes the total of each stack at its end." },
    }),
    description: "The look of bars.",
    kinds: ["bars"],
  },
  axis: {
    form: object({
      x: { ...object(numberAxis), description: "The horizontal axis." },
      y: { ...object(numberAxis), description: "The first vertical axis." },
    }),
    description:
      "The look and the ranges of the axes, and the measures on the second vertical axis.",
    kinds: [...barsAndLines, "points"],
    formOf: { lines: lineAxes, combination: lineAxes },
  },
  axislabels: {
    form: object(axisLabels),
    description: "The names of the axes.",
    kinds: barsAndLines,
    formOf: { lines: lineAxisLabels, combination: lineAxisLabels },
  },
  grid: {
    form: object(grids),
    description: "The grid lines at the ticks of the axes.",
    kinds: [...barsAndLines, "points"],
    formOf: { lines: lineGrid, combination: lineGrid },
  },
  manualAxesRange: {
    form: { type: "array", items: number },
    description: "The lowest and the highest number of the axis of values, in this order.",
    kinds: ["bars", "radar"],
  },
  guidelines: {
    form: object({
      lines: {
        type: "array",
        items: object({
          type: {
            enum: ["value", "average", "median", "min", "max"],
            description:
              "Where the line stands: at `value`, or at the average, the median, the smallest or the largest of the values of the first axis.",
          },
          value: {
            ...number,
            description: "The number at which the line stands, with `type: value`.",
          },
          color: { ...text, description: "Color of the line, such as `#1A2B3C`." },
        }),
        description: "The lines. Only the first 20 are drawn.",
      },
      style: {
        ...object({
          type: {
            enum: ["0", "1,2", "3,3"],
            description: "Whether lines are solid (`0`), dotted or dashed.",
          },
          width: { ...text, description: "Width of the lines, such as `2px`." },
        }),
        description: "How the lines are drawn.",
      },
    }),
    description: "Lines across the plot at chosen or computed values.",
    kinds: [...barsAndLines, "points"],
  },
  interpolation: {
    form: interpolation,
    description: interpolation.description,
    kinds: [...linesOnly, "radar"],
    formOf: {
      radar: {
        enum: ["linear", "rounded"],
        description: "Whether lines are straight or curved.",
      },
    },
  },
  missingValue: {
    form: missingValue,
    description: "How lines and areas show periods without rows.",
    kinds: linesOnly,
  },
  nullBreak: {
    form: flag,
    description: "`false` connects a line across rows that have no value.",
    kinds: linesOnly,
  },
  markers: {
    form: object({
      enabled: { ...flag, description: "`true` draws a dot at every value, `false` draws none." },
      size: { ...number, minimum: 1, description: "Radius of the dots in pixels, from 1 to 20." },
    }),
    description: "The dots at the values of lines.",
    kinds: linesOnly,
  },
  measures: {
    form: {
      type: "array",
      items: object({
        type: {
          enum: ["bar", "line", "area", "scatter"],
          description: "The form in which the measure is drawn.",
        },
        color: { ...text, description: "Color of the measure, such as `#1A2B3C`." },
        interpolation,
        strokeWidth,
        radius: {
          ...number,
          minimum: 0,
          description: "Radius of the dots in pixels, from 0 to 40.",
        },
        roundedCorners: {
          ...number,
          minimum: 0,
          description: "Radius of the corners of bars in pixels, from 0 to 20.",
        },
        missingValue: {
          ...missingValue,
          description: "How a line or an area shows periods without rows.",
        },
      }),
    },
    description: "How each measure is drawn, in the order of the slot.",
    kinds: ["combination"],
  },
  lines: {
    form: object({
      smooth: {
        ...flag,
        description: "`true` draws curves instead of straight lines, if `interpolation` is absent.",
      },
      strokeWidth,
    }),
    description: "The look of lines.",
    kinds: linesOnly,
  },
  slices: {
    form: object({
      maxNumber: {
        type: "integer",
        minimum: 2,
        description:
          "Maximum number of slices, from 2 to 10. The smallest slices are combined into one.",
      },
      half: { ...flag, description: "`true` draws half a circle." },
      width: {
        ...number,
        description: "Thickness of a ring as a share of its radius, from 0.05 to 1.",
      },
      roundedCorners: {
        ...number,
        description: "Radius of the corners of the slices in pixels, from 0 to 24.",
      },
      padding: {
        ...number,
        description: "Distance between slices in pixels, from 0 to 20. Narrow slices have less.",
      },
    }),
    description: "The look of slices.",
    kinds: ["slices"],
  },
  evolutionColor: {
    form: { enum: ["normal", "inverse"] },
    description: "Which change counts as good: an increase (`normal`) or a decrease (`inverse`).",
    kinds: ["number"],
  },
  circle: {
    form: object({
      manualValues: { ...targetValue, description: "Numbers that do not come from a column." },
      color: opaqueColor("the value's arc"),
      background: opaqueColor("the rest of the arc"),
      width: { ...number, description: "Thickness of the arc in pixels." },
    }),
    description: "The arc of the gauge. Its target takes precedence over `manualValues`.",
    kinds: ["gauge"],
  },
  manualValues: {
    form: object({
      ...targetValue.properties,
      conditional: ranges("Colors of ranges of numbers, in circular gauges."),
      ranges: ranges("Colors of ranges of numbers, in speedometers."),
    }),
    description: "Numbers that do not come from a column, and the colors of numbers.",
    kinds: ["gauge", "number", "heatTable", "regions"],
    formOf: {
      number: object({
        target: {
          ...number,
          description: "The number with which the value of a `conditional-number` is compared.",
        },
        conditional: ranges("Colors of ranges of numbers, for a `conditional-number`."),
        asBackgroundColor: {
          ...flag,
          description: "`true` colors the background instead of the number.",
        },
      }),
      regions: object({
        ranges: ranges("Colors of ranges of numbers, for `classification: manual`. At most 20."),
      }),
      heatTable: object({
        ranges: ranges("Colors of ranges of numbers, if `colorsClass` is `manual`."),
      }),
    },
  },
  colorsClass: {
    form: text,
    description:
      "`manual` colors cells by `manualValues.ranges`. Other values have no effect: the colors are those of the theme.",
    kinds: ["heatTable", "regions", "hexagons"],
    formOf: { regions: colorScheme, hexagons: colorScheme },
  },
  heattable: {
    form: object({
      opacity: { ...number, description: "Opacity of the cells, from 0.05 to 1." },
      rounding: {
        ...number,
        description: "Radius of the corners of cells in pixels, from 0 to 24.",
      },
      spacing: { ...number, description: "Distance between cells in pixels, from 0 to 20." },
    }),
    description: "The look of the cells.",
    kinds: ["heatTable"],
  },
  values: {
    form: object({ display: { ...flag, description: "`false` hides the numbers in the cells." } }),
    description: "The numbers in the cells.",
    kinds: ["heatTable"],
  },
  funnel: {
    form: object({
      absValue: { ...flag, description: "`false` hides the values of the steps." },
      perc: {
        enum: ["hide", "ofMax", "ofTot"],
        description: "Which shares are shown: none, of the first step, or of the sum of all steps.",
      },
    }),
    description: "The numbers next to the steps.",
    kinds: ["funnel"],
  },
  roundedCorners: {
    form: { ...number, minimum: 0 },
    description: "Radius of the corners in pixels, from 0 to 24.",
    kinds: ["treemap", "boxes"],
  },
  padding: {
    form: { ...number, minimum: 0 },
    description: "Distance between the rectangles in pixels, from 0 to 20.",
    kinds: ["treemap"],
  },
  boxWidth: {
    form: number,
    description: "Width of the boxes as a share of their band, from 0.1 to 1.",
    kinds: ["boxes"],
  },
  boxFill: { form: text, description: "Color of the boxes or dots.", kinds: ["boxes"] },
  boxStrokeColor: { form: text, description: "Color of the outline of boxes.", kinds: ["boxes"] },
  boxStrokeWidth: {
    form: { ...number, minimum: 0 },
    description: "Width of the outline of boxes in pixels, from 0 to 5.",
    kinds: ["boxes"],
  },
  medianStrokeColor: { form: text, description: "Color of the median.", kinds: ["boxes"] },
  medianStrokeWidth: {
    form: { ...number, minimum: 0 },
    description: "Width of the median in pixels, from 0 to 5.",
    kinds: ["boxes"],
  },
  horizontalAlignment: {
    form: { enum: ["left", "center", "right"] },
    description: "The side at which the number of an `evolution-number` stands.",
    kinds: ["number"],
  },
  alignment: {
    form: object({
      horizontal: {
        enum: ["left", "center", "right"],
        description: "The side at which the number of a `conditional-number` stands.",
      },
    }),
    description: "The place of the number.",
    kinds: ["number", "sankey", "image"],
    formOf: {
      image: object({
        horizontal: {
          enum: ["left", "center", "right"],
          description: "The side at which the image stands, or that is not cut.",
        },
        vertical: {
          enum: ["top", "middle", "bottom"],
          description: "The edge at which the image stands, or that is not cut.",
        },
      }),
      sankey: {
        enum: ["justify", "left", "right", "center"],
        description: "How steps without a predecessor or successor are aligned.",
      },
    },
  },
  numberFontSize: {
    form: number,
    description: "Size of the number in pixels, from 10 to 200. Absent: as large as it fits.",
    kinds: ["number"],
  },
  evolutionGraphDisplay: {
    form: { enum: ["none", "background", "fixedbottom", "belownumber"] },
    description:
      "`none` hides the line over all periods. With other values, it is below or next to the number.",
    kinds: ["number"],
  },
  evolutionGraphType: {
    form: { enum: ["area", "line"] },
    description: "Whether the area below the line is filled.",
    kinds: ["number"],
  },
  evolutionGraphOpacity: {
    form: { ...number, minimum: 0 },
    description: "Opacity of the area below the line in percent, up to 100.",
    kinds: ["number"],
  },
  classification: {
    form: { enum: ["quantile", "interval", "continuous", "manual"] },
    description:
      "How numbers are divided into colors: classes of as many values each, classes of equal width, no classes, or the ranges of `manualValues`.",
    kinds: ["regions", "hexagons"],
    formOf: { hexagons: { enum: ["quantile", "interval", "continuous"] } },
  },
  numberClasses: {
    form: { type: "integer", minimum: 1 },
    description: "Number of classes, at most 12.",
    kinds: ["regions", "hexagons"],
  },
  opacity: {
    form: { type: "number", minimum: 0 },
    description: "Opacity of the marks, from 0.05 to 1.",
    kinds: ["regions", "symbols", "hexagons", "density", "routes"],
  },
  strokeColor: {
    form: text,
    description: "Color of the borders between areas, such as `#1A2B3C`.",
    kinds: ["regions"],
  },
  size: {
    form: { type: "number", minimum: 0 },
    description: "Diameter of the largest circle in pixels, from 4 to 200.",
    kinds: ["symbols"],
  },
  maxClusterRadius: {
    form: { type: "number", minimum: 0 },
    description: "Pins within this distance in pixels become one circle, from 0 (never) to 200.",
    kinds: ["markers"],
  },
  spikeHeight: {
    form: { type: "number", minimum: 0 },
    description:
      "Height of the tallest spike in pixels, from 5. Spikes are at most 34 % as tall as the map.",
    kinds: ["spikes"],
  },
  spikeWidth: {
    form: { type: "number", minimum: 0 },
    description: "Width of spikes in pixels, if they have their full height.",
    kinds: ["spikes"],
  },
  fillOpacity: {
    form: { type: "number", minimum: 0 },
    description: "Opacity of the inside of shapes, from 0 to 1.",
    kinds: ["spikes", "radar"],
  },
  radius: {
    form: { type: "number", minimum: 0 },
    description: "Radius of hexagons in pixels, from 3 to 200.",
    kinds: ["hexagons"],
  },
  aggregationType: {
    form: { enum: ["sum", "count", "mean", "median", "minimum", "maximum"] },
    description: "How the numbers of the rows in a hexagon are combined.",
    kinds: ["hexagons"],
  },
  screenRadius: {
    form: { type: "number", minimum: 0 },
    description: "How far a place has an effect around it in pixels, from 2 to 200.",
    kinds: ["density"],
  },
  lineWeight: {
    form: { type: "number", minimum: 0 },
    description: "Width of routes in pixels, from 0.5 to 40.",
    kinds: ["routes"],
  },
  nodeSorting: {
    form: { enum: ["default", "asc", "desc"] },
    description: "The order of the steps in a column: automatic, or by their value.",
    kinds: ["sankey"],
  },
  type: {
    form: { enum: ["sankey", "alluvial"] },
    description:
      "Whether flows are read from `source` and `destination`, or from the columns of `category`.",
    kinds: ["sankey", "video"],
    formOf: {
      video: {
        enum: ["web", "youtube"],
        description: "Whether the video is a file (`sources`) or a video of YouTube (`youtube`).",
      },
    },
  },
  labels: {
    form: object({
      display: { ...flag, description: "`false` hides the names of the steps." },
      value: { ...flag, description: "`true` adds the values of the steps to their names." },
    }),
    description: "The labels of the steps.",
    kinds: ["sankey"],
  },
  nodes: {
    form: object({
      colored: { ...flag, description: "`false` draws all steps in the same color." },
    }),
    description: "The look of the steps.",
    kinds: ["sankey"],
  },
  colors: {
    form: object({
      linkColor: {
        enum: ["source", "target", "none", "gradient"],
        description:
          "The step whose color a flow has, or none. A gradient is drawn in the color of the source.",
      },
    }),
    description: "The colors of flows.",
    kinds: ["sankey", "density"],
    formOf: { density: { type: "array", items: text } },
  },
  circles: {
    form: object({
      colorByDepth: {
        ...flag,
        description: "`false` draws the circles around other circles in gray.",
      },
    }),
    description: "The look of circles.",
    kinds: ["packs"],
  },
  pointSize: {
    form: { type: "number", minimum: 0 },
    description: "Radius of points in pixels, from 0 to 20.",
    kinds: ["radar"],
  },
  manualAxes: {
    form: flag,
    description: "`true` uses `manualAxesRange` for the axes.",
    kinds: ["radar"],
  },
  ohlc: {
    form: object({
      colors: {
        ...object({
          higher: {
            ...text,
            description: "Color of periods that end at least as high as they start.",
          },
          lower: { ...text, description: "Color of periods that end lower than they start." },
        }),
        description: "Colors of periods.",
      },
      fill: {
        enum: ["default", "always", "never"],
        description:
          "Which candlesticks are filled: those that fall (`default`), all (`always`) or none (`never`).",
      },
      strokeWidth: { ...number, description: "Width of lines in pixels, from 0.5 to 10." },
    }),
    description: "The look of prices.",
    kinds: ["candles"],
  },
  ranking: {
    form: object({
      active: { ...flag, description: "`true` limits the number of words." },
      direction: {
        enum: ["top", "bottom"],
        description: "Whether the largest (`top`) or the smallest values (`bottom`) are drawn.",
      },
      number: { type: "integer", minimum: 1, description: "Number of words, at most 150." },
    }),
    description: "The words that are drawn.",
    kinds: ["words"],
  },
  totals: {
    form: flag,
    description: "`true` adds a row of totals; in a pivot table, a column of totals too.",
    kinds: tables,
  },
  cells: {
    form: object({ bars: { ...flag, description: "`true` draws bars in all numeric columns." } }),
    description: "The look of all cells.",
    kinds: tables,
  },
  columns: {
    form: { type: "array", items: tableColumn },
    description: "The look of single columns.",
    kinds: tables,
  },
  headers: {
    form: object({
      background: {
        ...text,
        description: "Background of the column names. Absent: that of the item.",
      },
      color: {
        ...text,
        description: "Color of the column names. It is changed if it would be unreadable.",
      },
    }),
    description: "The look of the column names.",
    kinds: tables,
  },
  tableBorders: {
    form: object({
      type: {
        enum: ["none", "all", "rows", "columns"],
        description: "Where the lines are. Absent: thin lines between rows.",
      },
      color: { ...text, description: "Color of the lines, such as `#A5A5A5`." },
      width: { ...number, description: "Width of the lines in pixels, from 1 to 20. Absent: 1." },
    }),
    description: "The lines between cells. Without `type`, the other members have no effect.",
    kinds: tables,
  },
  alternateRowColor: {
    form: flag,
    description: "`true` tints every second row. Absent: all rows have the same background.",
    kinds: ["table"],
  },
  rowHeight: {
    form: number,
    description: "Height of a row in pixels, from 18 to 80. Absent: the height of one line.",
    kinds: ["table"],
  },
  columnHeaders: {
    form: aligned("the names of columns"),
    description: "The names of columns.",
    kinds: ["pivot"],
  },
  rowHeaders: {
    form: object({
      ...aligned("the names of rows").properties,
      sticky: {
        ...flag,
        description: "`false` lets the names of rows scroll with the values. Absent: they stay.",
      },
    }),
    description: "The names of rows.",
    kinds: ["pivot"],
  },
  valueCells: {
    form: object({
      ...aligned("values").properties,
      alternate: { ...flag, description: "`true` tints every second row." },
    }),
    description: "The cells with values.",
    kinds: ["pivot"],
  },
  wrapText: {
    form: flag,
    description: "`true` breaks long names into two lines. Pictures shorten them instead.",
    kinds: ["pivot"],
  },
  measureLabelsAxis: {
    form: { enum: ["columns", "rows"] },
    description: "Whether several measures have a column each (the default) or a row each.",
    kinds: ["pivot"],
  },
  isExpandable: {
    form: flag,
    description:
      "`false` shows every field of the rows in a column, without buttons that collapse groups. Otherwise, groups of rows have subtotals.",
    kinds: ["pivot"],
  },
  expandStyle: {
    form: { enum: ["indent", "normal"] },
    description:
      "Whether groups of rows are above their indented rows (`indent`, the default), or in columns before them.",
    kinds: ["pivot"],
  },
  rowSortsMap: {
    form: { type: "object", values: { enum: ["asc", "desc"] } },
    description:
      "The order of the values of single fields, by the `id` of the entry in the slot or the id of its column. Absent: ascending.",
    kinds: ["pivot"],
  },
  pinnedColumns: {
    form: { type: "integer", minimum: 0 },
    description:
      "Number of columns at the start that stay in place while the other columns scroll. Absent: 0.",
    kinds: ["table"],
  },
  html: {
    form: texts,
    description: "The text, as HTML with paragraphs and headings. Other markup is dropped.",
    kinds: ["text"],
  },
  url: {
    form: texts,
    description: `The address of the image: a string, or one per language. ${mustBeSecure}.`,
    kinds: ["image", "page"],
    formOf: {
      page: {
        ...texts,
        description: `The address of the page: a string, or one per language. ${mustBeSecure}, and its server must allow frames.`,
      },
    },
  },
  link: {
    form: object({
      url: {
        ...texts,
        description:
          "The address that the image opens, which must begin with `https://` or `http://`: a string, or one per language.",
      },
      tooltip: {
        ...texts,
        description: "The text that appears at the pointer: a string, or one per language.",
      },
      target: {
        enum: ["_blank", "_self", "_parent"],
        description: "Where the address opens.",
      },
    }),
    description: "A link around the image.",
    kinds: ["image"],
  },
  sources: {
    form: videoSources,
    description:
      "Video files by language. Browsers play the first file that they support. Addresses must begin with `https://`.",
    kinds: ["video"],
  },
  youtube: {
    form: videoSources,
    description: "Addresses of videos of YouTube by language. Only the first one is shown.",
    kinds: ["video"],
  },
  loop: { form: flag, description: "`true` starts the video again at its end.", kinds: ["video"] },
  showControls: {
    form: flag,
    description: "`false` hides the controls of a video that starts by itself.",
    kinds: ["video"],
  },
  autoPlay: {
    form: flag,
    description:
      "`true` starts the video by itself, without sound. It stays still for readers who asked for less motion.",
    kinds: ["video"],
  },
  poster: {
    form: object({
      show: { ...flag, description: "`true` shows an image until a video file starts." },
      url: { ...text, description: `The address of the image. ${mustBeSecure}.` },
    }),
    description: "The image before a video file starts.",
    kinds: ["video"],
  },
  backdropColor: { form: text, description: "Color around the video.", kinds: ["video"] },
  placeholder: {
    form: texts,
    description:
      "The text of a `date-filter`, `dropdown-filter` or `search-filter` that filters nothing: a string, or one per language.",
    kinds: filters,
  },
  baseSelector: {
    form: object({
      placeholder: { ...texts, description: "The text of the control while it filters nothing." },
    }),
    description: "The range of a `date-comparison-filter`.",
    kinds: filters,
  },
  multiselect: {
    form: flag,
    description:
      "Whether readers can choose several values of a list. Absent: `true` for a `slicer-filter`, `false` for a `dropdown-filter`.",
    kinds: filters,
  },
  applyFiltersWithButton: {
    form: flag,
    description: "`true` filters only when the reader presses a button, in lists and search boxes.",
    kinds: filters,
  },
  search: {
    form: object({
      caseSensitive: { ...flag, description: "`true` distinguishes upper and lower case." },
    }),
    description: "The search box of a list.",
    kinds: filters,
  },
  layout: {
    form: object({
      alignment: {
        enum: ["vertical", "horizontal", "table", "rank-vertical"],
        description: "`horizontal` and `table` show the values of a `slicer-filter` side by side.",
      },
    }),
    description: "The arrangement of the values of a list.",
    kinds: filters,
  },
  dateRange: {
    form: object({
      displayRanges: { ...flag, description: "`false` hides the relative ranges." },
      showCustomRangeLabel: { ...flag, description: "`false` removes the calendar." },
      alwaysShowCalendars: {
        ...flag,
        description: "`false` shows the calendar only when the reader asks for it.",
      },
      firstDay: {
        type: "integer",
        minimum: 0,
        description:
          "First day of the week in the calendar, from 0 (Sunday) to 6 (Saturday). Absent: as in the reader's language.",
      },
      ranges: {
        type: "array",
        items: dateRange,
        description: "The ranges that readers can choose. Absent: the usual ranges.",
      },
    }),
    description: "The ranges of a `date-filter` or `date-comparison-filter`.",
    kinds: filters,
  },
  customChartId: {
    form: text,
    description: "Id of the custom chart, for items of the type `custom-chart`.",
    kinds: [],
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

/** The name of an option that charts read. */
export type OptionName = keyof typeof itemOptions;

const rows: Readonly<Record<OptionName, OptionRow>> = itemOptions;

/** Returns the options that items of a type read, with their forms. */
export function optionsOf(
  type: ItemType,
): ReadonlyMap<OptionName, Pick<OptionRow, "form" | "description">> {
  const { kind } = itemTypes[type];
  const named = Object.keys(itemOptions).filter((name): name is OptionName =>
    Object.hasOwn(itemOptions, name),
  );
  return new Map(
    named.flatMap((name) => {
      const { kinds, form, formOf, description } = rows[name];
      const isRead = kinds === undefined || kinds.includes(kind);
      const own = formOf?.[kind];
      const said = own?.description ?? description;
      return isRead ? [[name, { form: own ?? form, description: said }] as const] : [];
    }),
  );
}
