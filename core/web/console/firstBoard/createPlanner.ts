import { inSentence } from "../questions/index.ts";
import { fillSlots, type FilledSlot, type ItemType } from "../../charts/index.ts";
import { writeDay } from "../language/index.ts";
import type { BoardProfile, ColumnProfile } from "./boardProfile.ts";
import { isUnwelcome } from "./isUnwelcome.ts";
import type { PlannedItem } from "./placeBlocks.ts";
import type { RankedColumns, RankedMeasure } from "./rankColumns.ts";
import { unfinishedEnd, type Unfinished } from "./trendLevel.ts";
import { words } from "./words.ts";

/** A filter of one item, in the format of the data service. */
export interface ItemFilter {
  readonly itemId: string;
  readonly expression: string;
  readonly parameters: readonly unknown[];
}

/** What a chart measures: a column with an aggregation, or the number of rows. */
interface Measure {
  readonly title: string;
  readonly content: object;
  /** Whether a decrease is good. */
  readonly isUnwelcome?: boolean;
  /** Whether the values of parts add up to that of the whole. */
  readonly isAdditive: boolean;
}

type Dimension = ColumnProfile;

/** Number of bars from which the others are combined. */
const topCount = 10;
/** Largest number of values along each side of a heat map. */
const mostCells = 24;
/** Largest number of parts of a stacked trend. */
const mostParts = 8;
/** Largest value from which sums are shown without decimals. */
const leastWhole = 100;
const binCount = 20;
const leastBinned = 10;
const tableRows = 100;
const tableColumns = 8;
/** Most values that a menu can list. */
const mostChoices = 500;

/** Returns functions that plan the items of each kind for a dataset, the best first. */
export function createPlanner(profile: BoardProfile, ranked: RankedColumns) {
  const { datasetId, rows, trend } = profile;
  const { categories, labels, ordinals, identifiers, measures, country, place, time } = ranked;
  const referenceOf = ({ id, name, type, subtype, format }: ColumnProfile) => ({
    datasetId,
    columnId: id,
    type,
    label: name,
    ...(subtype !== null && { subtype }),
    ...(format !== null && format !== "" && { format }),
  });
  const countRows: Measure = {
    title: words.rows,
    isAdditive: true,
    content: {
      datasetId,
      columnId: "*",
      type: "numeric",
      format: ",.0f",
      label: { en: words.rows },
      aggregationFunc: "count",
    },
  };
  const measured = measures.map(({ column, role }): Measure => {
    const phrase = inSentence(column.title);
    const title = role.isShare
      ? words.share(phrase)
      : (words.aggregated[role.aggregation]?.(phrase) ?? phrase);
    return {
      title,
      isUnwelcome: isUnwelcome(column.title),
      isAdditive: role.aggregation === "sum" && Number(column.least) >= 0,
      content: {
        ...referenceOf(column),
        ...formatOf(column, role),
        label: { en: title },
        aggregationFunc: role.aggregation,
      },
    };
  });
  const [main = countRows, second] = measured;
  const trended = trend && time ? { column: time, level: trend.level } : undefined;
  const end: Unfinished | undefined =
    trend && time && trend.periods.length > 3
      ? unfinishedEnd(trend, time, profile.nowMs)
      : undefined;
  const periodContent = trended && { ...referenceOf(trended.column), level: trended.level };
  /** Dimensions for rankings, the best first. Each is used once. */
  const grouped: readonly Dimension[] = [...categories, ...ordinals].filter(
    (column) => column !== country,
  );
  const dimensionOf = (column: ColumnProfile) => referenceOf(column);
  /** Returns a column of the table. Numbers that name things have no thousands separators. */
  const cellOf = (column: ColumnProfile) => ({
    ...(column.type === "numeric" && identifiers.includes(column) && { format: ".0f" }),
    ...referenceOf(column),
  });
  const item = (
    type: ItemType,
    title: string,
    fields: { readonly dimensions?: readonly object[]; readonly measures?: readonly object[] },
    more: Partial<PlannedItem> & { readonly options?: object } = {},
  ): PlannedItem => {
    const { options, ...rest } = more;
    const slots: readonly FilledSlot<object>[] = fillSlots<object>(type, {
      dimensions: fields.dimensions ?? [],
      measures: fields.measures ?? [],
    });
    return { type, options: { title: { en: title }, ...options }, slots, block: "chart", ...rest };
  };
  const withoutEnd = (title: string) =>
    end && !end.isCurrent ? words.before(title, writeDay(end.start)) : title;

  const ranking = (column: Dimension, measure: Measure): PlannedItem => {
    const phrase = inSentence(column.title);
    const isOrdered = column.type === "numeric";
    if (isOrdered)
      return item(
        "column-chart",
        words.by(measure.title, phrase),
        { dimensions: [dimensionOf(column)], measures: [measure.content] },
        { options: { sort: { by: "category", direction: "asc" } } },
      );
    const isLong = column.distinct > topCount + 2;
    return item(
      "bar-chart",
      isLong ? words.topOf(topCount, measure.title, phrase) : words.by(measure.title, phrase),
      { dimensions: [dimensionOf(column)], measures: [measure.content] },
      isLong ? { options: { limit: { number: topCount } } } : {},
    );
  };

  return {
    numbers(): readonly PlannedItem[] {
      const [identifier] = identifiers.filter(
        ({ distinct, filled }) => distinct < filled && distinct > 1,
      );
      const counted: readonly Measure[] = identifier
        ? [
            {
              title: words.distinct(inSentence(identifier.title)),
              isAdditive: false,
              content: {
                ...referenceOf(identifier),
                type: identifier.type,
                format: ",.0f",
                label: { en: words.distinct(inSentence(identifier.title)) },
                aggregationFunc: "distinctcount",
              },
            },
          ]
        : [];
      const [first, ...further] = measured;
      const shown = [...(first ? [first] : []), countRows, ...counted, ...further].slice(0, 3);
      return shown.map((measure) =>
        item(
          "evolution-number",
          measure.title,
          {
            dimensions: periodContent ? [periodContent] : [],
            measures: [measure.content],
          },
          {
            block: "number",
            ...(measure.isUnwelcome && { options: { evolutionColor: "inverse" } }),
            isWithoutEnd: periodContent !== undefined && end !== undefined,
          },
        ),
      );
    },
    trend(): readonly PlannedItem[] {
      const [year] = ordinals.filter((column) => ranked.isYear(column));
      if (!trended || !periodContent)
        return year && year.distinct >= 3 ? [{ ...ranking(year, main), isWide: true }] : [];
      const period = words.periods[trended.level] ?? "";
      return [
        item(
          "line-chart",
          withoutEnd(words.by(main.title, period)),
          { dimensions: [periodContent], measures: [main.content] },
          { isWide: true, isWithoutEnd: end !== undefined && !end.isCurrent },
        ),
      ];
    },
    rankings(): readonly PlannedItem[] {
      const others = grouped.filter((column) => trended !== undefined || !ranked.isYear(column));
      // Names of single rows are only ranked by a number: each has one row.
      const named = measures.length > 0 ? labels.filter((column) => column !== country) : [];
      const [first, next] = [...others, ...named.slice(0, 1)];
      return [
        ...(first ? [ranking(first, main)] : []),
        ...(next ? [ranking(next, second ?? main)] : []),
      ];
    },
    map(): readonly PlannedItem[] {
      if (country)
        return [
          item("choropleth-map", words.by(main.title, inSentence(country.title)), {
            dimensions: [dimensionOf(country)],
            measures: [main.content],
          }),
        ];
      if (!place) return [];
      const [latitude, longitude] = place;
      return [
        {
          ...item("symbol-map", words.by(main.title, words.place), {
            measures: [main.content],
          }),
          slots: [
            { name: "geo", content: [dimensionOf(latitude), dimensionOf(longitude)] },
            { name: "measure", content: [main.content] },
          ],
        },
      ];
    },
    combination(): readonly PlannedItem[] {
      const narrow = [
        ...grouped,
        ...(country && categories.includes(country) ? [country] : []),
      ].filter(({ distinct }) => distinct <= mostCells && distinct >= 2);
      const [one, other] = narrow;
      if (one && other) {
        const [along, down] = one.distinct >= other.distinct ? [one, other] : [other, one];
        return [
          item(
            "heat-table",
            words.byTwo(main.title, inSentence(down.title), inSentence(along.title)),
            {
              dimensions: [dimensionOf(down), dimensionOf(along)],
              measures: [main.content],
            },
          ),
        ];
      }
      if (!one || !trended || !periodContent || !main.isAdditive || one.distinct > mostParts)
        return [];
      const period = words.periods[trended.level] ?? "";
      return [
        item(
          "area-chart",
          withoutEnd(words.byTwo(main.title, period, inSentence(one.title))),
          {
            dimensions: [periodContent, dimensionOf(one)],
            measures: [main.content],
          },
          { isWithoutEnd: end !== undefined && !end.isCurrent },
        ),
      ];
    },
    distributions(): readonly PlannedItem[] {
      return measures
        .filter(({ column, role }) => !role.isShare && column.distinct >= leastBinned)
        .slice(0, trended ? 1 : 2)
        .map(({ column }) =>
          item("column-chart", words.distribution(inSentence(column.title)), {
            dimensions: [{ ...dimensionOf(column), bins: { enabled: true, number: binCount } }],
            measures: [countRows.content],
          }),
        );
    },
    table(others: readonly PlannedItem[]): readonly PlannedItem[] {
      const used = ranked.shown.slice(0, tableColumns);
      const hasChart = others.some(({ block }) => block === "chart");
      if (used.length === 0 || (used.length === 1 && hasChart)) return [];
      const columns = time
        ? [time, ...used.filter((each) => each !== time)].slice(0, tableColumns)
        : used;
      const isLatest = time !== undefined;
      const isCut = rows > tableRows;
      return [
        item(
          "regular-table",
          isCut && isLatest ? words.latestRows : words.rows,
          { dimensions: columns.map(cellOf) },
          {
            block: "table",
            options: {
              ...(isCut && { limit: { number: tableRows } }),
              ...(isLatest && { sort: { by: "category", direction: "desc" } }),
            },
          },
        ),
      ];
    },
    controls(): readonly PlannedItem[] {
      const control = (type: ItemType, column: ColumnProfile): PlannedItem => ({
        type,
        options: { title: column.name },
        slots: [{ name: "dimension", content: [referenceOf(column)] }],
        block: "control",
      });
      const choice = [...(country ? [country] : []), ...categories].find(
        ({ distinct }) => distinct <= mostChoices,
      );
      return [
        ...(time ? [control("date-filter", time)] : []),
        ...(choice ? [control("dropdown-filter", choice)] : []),
      ];
    },
    /** Returns the filter by which an item leaves out the unfinished last period. */
    endFilter(itemId: string): readonly ItemFilter[] {
      if (!trended || !end) return [];
      const column = { dataset_id: datasetId, column_id: trended.column.id };
      return end.isCurrent
        ? [
            {
              itemId,
              expression: "more_than_ago",
              parameters: [column, { unit: trended.level, quantity: 0 }],
            },
          ]
        : [{ itemId, expression: "? < ?", parameters: [column, end.start] }];
    },
  };
}

/** Sums of larger numbers are shown without decimals, which nobody reads. A column's own format takes precedence. */
function formatOf(
  { format, most }: ColumnProfile,
  { aggregation, isShare }: RankedMeasure["role"],
): { readonly format?: string } {
  if (isShare) return { format: ".1%" };
  const isLarge = aggregation === "sum" && Number(most) >= leastWhole;
  return isLarge && !format ? { format: ",.0f" } : {};
}
