import Type, { type TSchema } from "typebox";
import { aggregations } from "../../../plugins/protocol/index.ts";
import { type NamedSchemas, openVariant, reference } from "../../base/index.ts";
import {
  isItemType,
  itemMeanings,
  itemTypes,
  optionsOf,
  slotsOf,
  undrawnTypes,
  type ItemKind,
  type ItemType,
  type OptionForm,
} from "../../web/charts/index.ts";

const OptionalText = (description: string) => Type.Optional(Type.String({ description }));
const TextOrNull = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description }));
const NumberOrNull = (description: string) =>
  Type.Optional(Type.Union([Type.Number(), Type.Null()], { description }));
const Level = (description: string) =>
  Type.Optional(
    Type.Union([Type.Integer({ minimum: 0, maximum: 9 }), Type.Null()], { description }),
  );
/** How a field is aggregated. */
export const FieldAggregation = Type.Enum([...aggregations], {
  type: "string",
  description: "The function that combines the values of a group, such as `sum`.",
});
const Anything = Type.Optional(Type.Unknown({ description: "Stored but ignored." }));
const Texts = Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
  description: "A string, alone or by language.",
});

const GridPosition = Type.Object(
  {
    col: Type.Optional(Type.Number({ minimum: 0, description: "Column of the left edge." })),
    row: Type.Optional(Type.Number({ minimum: 0, description: "Row of the upper edge." })),
    sizeX: Type.Optional(Type.Number({ minimum: 1, description: "Width in columns." })),
    sizeY: Type.Optional(Type.Number({ minimum: 1, description: "Height in rows." })),
  },
  { description: "A position in the grid, which has 48 columns and rows of 16 pixels." },
);

/** The members of a reference to a column or formula, in each of the spellings that dashboards contain. */
export const referenceMembers = {
  datasetId: OptionalText("Id of the dataset."),
  columnId: OptionalText("Id of the column."),
  formulaId: OptionalText("Id of a stored formula. Send it instead of `columnId`."),
  set: OptionalText("Older name of `datasetId`."),
  column: OptionalText("Older name of `columnId`."),
  dataset_id: OptionalText("Another spelling of `datasetId`."),
  column_id: OptionalText("Another spelling of `columnId`."),
  formula_id: OptionalText("Another spelling of `formulaId`."),
};

/** The types of columns in dashboards. Charts read values of other types than the first three as strings. */
const columnTypes = ["numeric", "hierarchy", "datetime", "spatial"];

const SlotContent = Type.Object(
  {
    ...referenceMembers,
    formula: Type.Optional(
      Type.String({ description: "The expression of a formula that is not stored." }),
    ),
    id: Type.Optional(Type.String({ description: "The id by which options name the column." })),
    type: Type.Optional(
      Type.Enum([...columnTypes, ...columnTypes.map((type) => `array[${type}]`)], {
        type: "string",
        description:
          "Type of the values. The type of a stored column takes precedence. Charts read `spatial` and arrays as strings.",
      }),
    ),
    subtype: TextOrNull("What the values mean, such as `date` or `currency`."),
    label: Type.Optional(
      Type.Union([reference("LocalizedText"), Type.Null()], {
        description: "Title in the picture, by language. Absent: the name of the column.",
      }),
    ),
    format: TextOrNull("How values are shown, as a D3 format such as `.2f`."),
    currency: TextOrNull("Currency of the values, as an ISO 4217 code."),
    color: TextOrNull("Color of the measure in charts, such as `#1A2B3C`."),
    aggregationFunc: Type.Optional(
      Type.Union([FieldAggregation, Type.Null()], {
        description:
          "How a measure is aggregated. Absent: `sum` for numbers, `count` for other types.",
      }),
    ),
    aggregation: Type.Optional(
      Type.Object(
        { type: Type.Optional(FieldAggregation) },
        {
          additionalProperties: true,
          description: "How a measure is aggregated, if `aggregationFunc` is absent.",
        },
      ),
    ),
    aggregationWeight: Type.Optional(
      Type.Union(
        [
          Type.Object({
            datasetId: OptionalText("Id of the dataset."),
            columnId: OptionalText("Id of the column."),
            set: OptionalText("Older name of `datasetId`."),
            column: OptionalText("Older name of `columnId`."),
            columnSubType: TextOrNull("What its values mean. Stored but ignored."),
          }),
          Type.Null(),
        ],
        {
          description:
            "The column of the weights, for `weightedaverage`; the other column, for `corr`.",
        },
      ),
    ),
    level: Level(
      "The level to group by: from 1 (year) to 9 (millisecond), or a level of a hierarchy. 0, null or absent: the values themselves.",
    ),
    lowestLevel: Level(
      "The finest level to which readers can drill down, from 1 (year) to 9 (millisecond). 0, null or absent: no limit.",
    ),
    bins: Type.Optional(
      Type.Union(
        [
          Type.Object({
            enabled: Type.Optional(Type.Boolean({ description: "`true` groups by bins." })),
            number: Type.Optional(
              Type.Integer({ minimum: 1, description: "Number of bins. Absent: 10." }),
            ),
          }),
          Type.Null(),
        ],
        { description: "Groups numbers into ranges of equal width." },
      ),
    ),
    duration: Anything,
    grandTotals: Type.Optional(
      Type.Union(
        [
          Type.Object({
            enabled: Type.Optional(
              Type.Boolean({
                description: "`true` adds totals over the values of this column to a pivot table.",
              }),
            ),
          }),
          Type.Null(),
        ],
        { description: "Totals of a column in the slot `row` or `column` of a pivot table." },
      ),
    ),
    include_nonoccurring: Anything,
    datetimeDisplayMode: Anything,
    weekStart: Anything,
    weekDayNameFormat: Anything,
    monthNameFormat: Anything,
    cardinality: Anything,
    drilldownColumn: Anything,
    drilldownLevel: Anything,
    index: Anything,
    multi: Anything,
    slotName: Anything,
    sortableIndex: Anything,
    sortableSelected: Anything,
    sortOrder: Anything,
    periodOverPeriod: Type.Optional(
      Type.Union(
        [
          Type.Object({
            type: TextOrNull(
              "`past` shows the earlier value, `absoluteChange` the difference and `percentageChange` the relative change. `none`: no comparison.",
            ),
            level: NumberOrNull(
              "The unit of the earlier period, from 1 (year) to 9 (millisecond). 0 or absent: the length of the filtered range.",
            ),
            quantity: NumberOrNull("How many units earlier the period is. Absent: 1."),
            periodToDate: Type.Optional(
              Type.Union([Type.Boolean(), Type.Null()], {
                description:
                  "`true` leaves out the part of the earlier period that is later than now.",
              }),
            ),
            offsetDateColumn: Anything,
          }),
          Type.Null(),
        ],
        {
          description:
            "Compares a measure with an earlier period along `offsetDateColumn`, or else along the only datetime dimension.",
        },
      ),
    ),
    calculation: Type.Optional(
      Type.Union(
        [
          Type.Object({
            type: Type.Enum(["share_of_total", "rank"], {
              description: "Whether the measure is shown as a share of its total or as a rank.",
            }),
            order: Type.Optional(
              Type.Enum(["asc", "desc"], {
                description:
                  "Whether rank 1 is the smallest (`asc`) or the largest value (`desc`, the default).",
              }),
            ),
          }),
          Type.Null(),
        ],
        { description: "Shows a measure as a share of its total, or as a rank among the groups." },
      ),
    ),
  },
  { description: "A column or formula in a slot of an item." },
);

/** Returns the form of an option as a schema. All members of objects are optional. */
function schemaOf(form: OptionForm, description = form.description): TSchema {
  const more = description === undefined ? {} : { description };
  if ("enum" in form) return Type.Enum([...form.enum], more);
  if ("anyOf" in form)
    return Type.Union(
      form.anyOf.map((each) => schemaOf(each)),
      more,
    );
  switch (form.type) {
    case "array":
      return Type.Array(schemaOf(form.items), more);
    case "object":
      return "values" in form
        ? Type.Record(Type.String(), schemaOf(form.values), more)
        : Type.Object(
            Object.fromEntries(
              Object.entries(form.properties).map(([name, each]) => [
                name,
                Type.Optional(schemaOf(each)),
              ]),
            ),
            more,
          );
    case "column":
      return reference("SlotContent");
    case "boolean":
      return Type.Boolean(more);
    case "string":
      return Type.String(more);
    case "number":
    case "integer": {
      const { minimum } = form;
      const bounds = { ...more, ...(minimum !== undefined && { minimum }) };
      return form.type === "integer" ? Type.Integer(bounds) : Type.Number(bounds);
    }
    default: {
      const never: never = form;
      return never;
    }
  }
}

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const optionsName = (kind: ItemKind): string => `${pascal(kind)}Options`;

/** The members that items of all types have, besides `type`, `slots` and `options`. */
const common = {
  id: Type.Optional(Type.String({ description: "Id of the item, unique within its view." })),
  position: Type.Optional(reference("GridPosition")),
  content: Anything,
  query: Anything,
};

function itemOf(
  type: TSchema,
  slots: readonly string[] | undefined,
  options: TSchema,
  more: { readonly description: string; readonly [openVariant]?: true },
): TSchema {
  const isOpen = slots === undefined || slots.length === 0;
  const described = { description: "Name of the slot." };
  const Slot = Type.Object({
    name: isOpen ? Type.String(described) : Type.Enum([...slots], { type: "string", ...described }),
    content: Type.Optional(
      Type.Array(reference("SlotContent"), {
        description: "The columns and formulas in the slot, in order.",
      }),
    ),
    originalContent: Anything,
  });
  return Type.Object(
    {
      ...common,
      type: { ...type, description: "The kind of picture or control." },
      slots: Type.Optional(
        Type.Array(Slot, { description: "The columns and formulas that the item shows, by slot." }),
      ),
      options: Type.Optional(options),
    },
    more,
  );
}

const OpenOptions = Type.Record(Type.String(), Type.Unknown(), {
  description: "The look of the item. Stored unchanged.",
});
const drawnTypes: readonly ItemType[] = Object.keys(itemTypes).filter(isItemType);
const drawn = drawnTypes.map((type) => {
  const { kind, title } = itemTypes[type];
  const options = reference(optionsName(kind));
  const { shows } = itemMeanings[type];
  const description = `${title}. ${shows}`;
  const item = itemOf(Type.Literal(type), slotsOf(type), options, { description });
  return [`${pascal(type)}Item`, item] as const;
});
const undrawn = Object.entries(undrawnTypes).map(([type, { slots, title }]) => {
  const description = `${title}. This version shows its data as a table.`;
  const item = itemOf(Type.Literal(type), slots, OpenOptions, { description });
  return [`${pascal(type)}Item`, item] as const;
});

/** Other names of item types and aggregations, each with the type or aggregation that people probably mean. */
export const wordMeanings: ReadonlyMap<string, string> = new Map([
  ["pie", "donut-chart"],
  ["pie-chart", "donut-chart"],
  ["bars", "bar-chart"],
  ["columns", "column-chart"],
  ["lines", "line-chart"],
  ["table", "regular-table"],
  ["number", "evolution-number"],
  ["kpi", "evolution-number"],
  ["heatmap", "heat-table"],
  ["gauge", "circular-gauge"],
  ["map", "choropleth-map"],
  ["sankey", "sankey-diagram"],
  ["sunburst", "sunburst-chart"],
  ["radar", "radar-chart"],
  ["candlestick", "ohlc-chart"],
  ["wordcloud", "wordcloud-chart"],
  ["venn", "venn-diagram"],
  ["filter", "slicer-filter"],
  ["list", "slicer-filter"],
  ["markdown", "text"],
  ["html", "text"],
  ["avg", "average"],
  ["mean", "average"],
  ["countdistinct", "distinctcount"],
]);

/** The type of items that are drawn by one of the organization's own charts. */
export const customType = "custom-chart";
const CustomChartItem = itemOf(
  Type.Literal(customType),
  undefined,
  Type.Object(
    {
      customChartId: Type.Optional(Type.String({ description: "Id of the custom chart." })),
      title: Type.Optional(reference("LocalizedText")),
    },
    {
      additionalProperties: true,
      description: "The look of the item. The chart receives all options.",
    },
  ),
  { description: "An item that a custom chart draws. It receives all options." },
);

/** Every known item type. */
const knownTypes: readonly string[] = [...drawnTypes, ...Object.keys(undrawnTypes), customType];

const OtherItem = itemOf(
  Type.Unsafe({ type: "string", not: { enum: knownTypes } }),
  undefined,
  OpenOptions,
  {
    description: "An item of an unknown type, whose data is shown as a table.",
    [openVariant]: true,
  },
);

const optionsByKind = new Map(
  drawnTypes.map((type) => {
    const { kind } = itemTypes[type];
    const members = [...optionsOf(type)].map(([name, { form, description }]) => {
      const isTexts = name === "title" || name === "html";
      const schema = isTexts
        ? { ...reference("LocalizedText"), description }
        : schemaOf(form, description);
      return [name, Type.Optional(schema)] as const;
    });
    return [optionsName(kind), Type.Object(Object.fromEntries(members))] as const;
  }),
);

/** The schemas of dashboard items, by the name in the API description. */
export const itemSchemas: NamedSchemas = {
  LocalizedText: Texts,
  GridPosition,
  SlotContent,
  ...Object.fromEntries(optionsByKind),
  ...Object.fromEntries([...drawn, ...undrawn]),
  CustomChartItem,
  DashboardItem: Type.Union(
    [
      ...[...drawn, ...undrawn].map(([name]) => reference(name)),
      reference("CustomChartItem"),
      OtherItem,
    ],
    { description: "An item of a dashboard, by its type." },
  ),
};
