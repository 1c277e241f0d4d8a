import { itemKinds, kindOfItem } from "./itemKinds.ts";
import type { ChartItem, SlotField } from "./item.ts";
import { objectOf } from "./readItem.ts";
import type { Stored } from "./stored.ts";

/** A query in the format of the data service. */
export interface ItemQuery extends Stored {
  readonly dimensions?: readonly object[];
  readonly measures?: readonly object[];
  readonly where?: readonly unknown[];
  readonly order?: readonly object[];
  readonly limit?: object;
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
  /** Whether to request all rows, as a file needs. If absent, at most 10,000 rows are requested, as for a picture. */
  readonly isWhole?: boolean;
}

/** Maximum number of rows that a picture can show. */
const pictureRows = 10_000;

/** Maximum number of rows for a box plot, which needs every value. */
const rawRows = 100_000;

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
  const by = limitOf(item) ?? (isWhole ? undefined : isRaw ? rawRows : pictureRows);
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
  if (!known || item.type === "regular-table") {
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

/** Returns whether an item shows rows without grouping: tables of plain columns, box plots and strip plots. */
export function isRawItem({ type, fields }: ChartItem): boolean {
  const kind = kindOfItem(type)?.kind;
  if (kind === "boxes") return true;
  return (
    kind === "table" &&
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

function dimensionOf(field: SlotField) {
  const { level, bins } = field;
  return {
    ...referenceOf(field),
    ...(level !== undefined && field.type === "datetime" && { level }),
    ...(bins !== undefined && { discretization: { type: "linear", bins } }),
  };
}

/** Returns a field as a measure of a query: the plain column for raw rows, otherwise an aggregate. */
export function measureOf(field: SlotField, isRaw: boolean) {
  const { aggregation, weight, formula, formulaId } = field;
  const isFormula = formula !== undefined || formulaId !== undefined;
  if (isFormula || (isRaw && aggregation === undefined)) return referenceOf(field);
  return {
    ...referenceOf(field),
    aggregation: {
      type: aggregation ?? (field.type === "numeric" ? "sum" : "count"),
      ...(weight && { dataset_id: weight.datasetId, column_id: weight.columnId }),
    },
  };
}

function limitOf({ options }: ChartItem): number | undefined {
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
  const isByValue = itemKinds[kindOfItem(type)?.kind ?? "table"].isByValue;
  const hasOwnOrder = category?.type === "datetime" || category?.bins !== undefined;
  if (!measure || !(sort.by === "measure" || (isByValue && category && !hasOwnOrder)))
    return undefined;
  return { ...measureOf(measure, false), order: direction };
}
