import { kindOfItem, kindRowOf } from "./itemKinds.ts";
import type { ChartItem, SlotField } from "./item.ts";
import { objectOf } from "./readItem.ts";
import type { Stored } from "./stored.ts";

/** A query in the format of the data service. */
export interface ItemQuery extends Stored {
  readonly dimensions?: readonly object[];
  readonly measures?: readonly object[];
  readonly where?: readonly unknown[];
  readonly order?: readonly object[];
  readonly limit?: { readonly by: number; readonly offset?: number };
  readonly having?: readonly unknown[];
  readonly options?: {
    readonly locale_id?: string;
    readonly timezone_id?: string;
    readonly rollup_data?: boolean;
  };
}

/** The query of an item, and the fields of its answer. */
export interface QueriedItem {
  readonly query: ItemQuery;
  /** The fields of a result row's cells, in order. */
  readonly fields: readonly SlotField[];
}

/** The reader's language and time zone, and the filters that apply to an item. */
export interface QueryOptions {
  /** Language of the reader, such as `nl`. */
  readonly localeId?: string;
  /**
   * IANA time zone in which datetimes are grouped.
   * @default UTC
   */
  readonly timezoneId?: string;
  /** The dashboard's filters for this item, in the format of the data service. */
  readonly where?: readonly unknown[];
  /** Whether to request all rows, as a file needs. If absent, as many rows are requested as the picture can show. */
  readonly isWhole?: boolean;
}

/**
 * Returns the query of an item: its dimensions, then its measures, in the order of its kind's slots. Undefined for an
 * item without data, such as a text item.
 */
export function queryOf(
  item: ChartItem,
  { localeId, timezoneId, where = [], isWhole = false }: QueryOptions = {},
): QueriedItem | undefined {
  const { dimensions, measures } = splitFields(item);
  if (dimensions.length + measures.length === 0) return undefined;
  const isRaw = isRawItem(item);
  const by = limitOf(item) ?? (isWhole ? undefined : kindRowOf(item.type).mostRows);
  const order = orderOf(item, dimensions, measures);
  return {
    fields: [...dimensions, ...measures],
    query: {
      dimensions: dimensions.map((field) => dimensionOf(field)),
      measures: measures.map((field) => measureOf(field, isRaw)),
      ...(where.length > 0 && { where }),
      ...(order && { order: [order] }),
      ...(by !== undefined && { limit: { by } }),
      options: {
        ...(localeId !== undefined && { locale_id: localeId }),
        ...(timezoneId !== undefined && { timezone_id: timezoneId }),
        ...(isRaw && { rollup_data: false }),
      },
    },
  };
}

/** Splits fields into grouping fields and measured fields. In unknown slots, the field's type decides. */
export function splitFields(item: ChartItem) {
  const known = kindOfItem(item.type);
  const { fields } = item;
  if (!known || known.kind === "table" || known.kind === "coordinates") {
    const isMeasure = (field: SlotField) =>
      field.formula !== undefined ||
      field.formulaId !== undefined ||
      field.aggregation !== undefined ||
      (!known && field.type === "numeric" && field.bins === undefined);
    return {
      dimensions: fields.filter((field) => !isMeasure(field)),
      measures: fields.filter(isMeasure),
    };
  }
  const inSlots = (slots: readonly string[]) =>
    slots.flatMap((slot) => fields.filter((field) => field.slot === slot));
  return { dimensions: inSlots(known.dimensions), measures: inSlots(known.measures) };
}

/**
 * Returns whether an item shows rows without grouping: tables and parallel coordinates of plain columns, box plots and
 * strip plots.
 */
export function isRawItem({ type, fields }: ChartItem): boolean {
  const kind = kindOfItem(type)?.kind;
  if (kind === "boxes") return true;
  return (
    (kind === "table" || kind === "coordinates") &&
    fields.some(({ type: of, bins }) => of === "numeric" && bins === undefined) &&
    fields.every(({ aggregation, formula, formulaId }) => !aggregation && !formula && !formulaId)
  );
}

function referenceOf({ columnId, datasetId, formula, formulaId }: SlotField) {
  return {
    ...(datasetId !== undefined && { dataset_id: datasetId }),
    ...(formulaId !== undefined
      ? { formula_id: formulaId }
      : formula !== undefined
        ? { formula }
        : { column_id: columnId }),
  };
}

/** Returns a field as a dimension of a query. */
export function dimensionOf(field: SlotField) {
  const { level, bins } = field;
  return {
    ...referenceOf(field),
    ...(level !== undefined && field.type === "datetime" && { level }),
    ...(bins !== undefined && { discretization: { type: "linear", bins } }),
  };
}

/** Returns a field as a measure of a query: the plain column for raw rows, otherwise an aggregate. */
export function measureOf(field: SlotField, isRaw: boolean) {
  const { aggregation, weight, calculation } = field;
  const type = aggregationOf(field);
  const calculated = !isRaw && calculation && { calculation };
  if (type === undefined || (isRaw && aggregation === undefined))
    return { ...referenceOf(field), ...calculated };
  return {
    ...referenceOf(field),
    ...calculated,
    aggregation: {
      type,
      ...(weight && { dataset_id: weight.datasetId, column_id: weight.columnId }),
    },
  };
}

/** Returns the aggregation of a measure; undefined for a formula, which aggregates its columns itself. */
export function aggregationOf(field: SlotField): string | undefined {
  const { aggregation, formula, formulaId, type } = field;
  if (formula !== undefined || formulaId !== undefined) return undefined;
  return aggregation ?? (type === "numeric" ? "sum" : "count");
}

/** Returns the stored maximum number of groups or rows of an item. */
export function limitOf({ options }: ChartItem): number | undefined {
  const { number } = objectOf(options.limit);
  return typeof number === "number" && Number.isInteger(number) && number > 0 ? number : undefined;
}

/**
 * Returns the stored order of an item. Without a stored order, categories that have no order of their own are sorted by
 * value.
 */
function orderOf(
  { type, options }: ChartItem,
  dimensions: readonly SlotField[],
  measures: readonly SlotField[],
): object | undefined {
  const sort = objectOf<"direction" | "by">(options.sort);
  const direction = sort.direction === "asc" ? "asc" : "desc";
  const [category] = dimensions;
  const [measure] = measures;
  if (sort.by === "category" && category) return { ...dimensionOf(category), order: direction };
  const hasOwnOrder = category?.type === "datetime" || category?.bins !== undefined;
  const isUsual = kindRowOf(type).isByValue && category && !hasOwnOrder;
  if (!measure || !(sort.by === "measure" || isUsual)) return undefined;
  return { ...measureOf(measure, false), order: direction };
}

/** Returns whether the rows of an item begin with the largest value of its first measure. */
export function isByValue(item: ChartItem): boolean {
  const { dimensions, measures } = splitFields(item);
  const { order } = objectOf<"order">(orderOf(item, dimensions, measures));
  const sort = objectOf<"by">(item.options.sort);
  return order === "desc" && sort.by !== "category";
}
