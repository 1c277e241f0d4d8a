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
];

const axis = object({
  type: {
    enum: ["default", "manual", "variable"],
    description:
      "How the range is chosen: `manual` uses `manualAxesRange`; with other values, the range depends on the data.",
  },
  manualAxesRange: {
    type: "array",
    items: number,
    description: "The lowest and the highest number of the axis, in this order.",
  },
});

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
    form: object({ title: { ...flag, description: "`false` hides the title." } }),
    description: "Parts of the item that can be hidden.",
  },
  limit: {
    form: object({
      number: {
        type: "integer",
        minimum: 1,
        description: "Maximum number of groups or rows, at least 1.",
      },
    }),
    description: "How many groups or rows the item requests. Absent: as many as the host allows.",
    kinds: [...charts, ...tables, ...numbered],
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
    kinds: [...charts, ...tables, ...numbered],
  },
  mode: {
    form: { enum: ["grouped", "stacked", "100"] },
    description:
      "How the parts are drawn. Bars are next to each other, stacked, or stacked to 100 %; slices form a ring or a pie.",
    kinds: ["bars", "slices"],
    formOf: { slices: { enum: ["donut", "pie"] } },
  },
  axis: {
    form: object({
      y: { ...axis, description: "The first vertical axis." },
      y2: {
        ...object({
          ...axis.properties,
          active: { ...flag, description: "`true` draws the second axis." },
          measureIndexes: {
            type: "array",
            items: { type: "integer", minimum: 0 },
            description: "Measures on the second axis, by their position in the slot, from 0.",
          },
        }),
        description: "The second vertical axis, on the opposite side.",
      },
    }),
    description: "The ranges of the vertical axes, and the measures on the second axis.",
    kinds: ["lines", "combination"],
  },
  measures: {
    form: {
      type: "array",
      items: object({
        type: {
          enum: ["bar", "line", "area", "scatter"],
          description: "The form in which the measure is drawn.",
        },
      }),
    },
    description: "How each measure is drawn, in the order of the slot.",
    kinds: ["combination"],
  },
  lines: {
    form: object({
      smooth: { ...flag, description: "`true` draws curves instead of straight lines." },
    }),
    description: "The look of lines.",
    kinds: ["lines", "combination"],
  },
  slices: {
    form: object({
      maxNumber: {
        type: "integer",
        minimum: 2,
        description:
          "Maximum number of slices, from 2 to 10. The smallest slices are combined into one.",
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
    }),
    description: "The target of the gauge. It takes precedence over `manualValues`.",
    kinds: ["gauge"],
  },
  manualValues: {
    form: targetValue,
    description: "Numbers that do not come from a column.",
    kinds: ["gauge"],
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
      return isRead ? [[name, { form: formOf?.[kind] ?? form, description }] as const] : [];
    }),
  );
}
