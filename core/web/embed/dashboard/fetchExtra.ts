import {
  dimensionOf,
  extraFields,
  measureOf,
  readColumns,
  type ChartCell,
  type ChartItem,
  type ItemFilters,
  type SendQueries,
  type SlotField,
} from "../../charts/index.ts";
import type { ExtraData } from "../menu/index.ts";
import { clauseOf, dimensionsOf } from "../selections/index.ts";

/** Maximum number of rows that accompany an event. */
const mostRows = 100;

export interface ExtraOptions {
  readonly item: ChartItem;
  /** The answer that the item shows. */
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** The row of the mark. */
  readonly row: number;
  readonly filters: ItemFilters;
  readonly localeId: string;
  readonly timezoneId: string;
  readonly send: SendQueries;
}

/**
 * Fetches the extra data of an item for the rows of a mark, under the filters of the item. Undefined if filters cannot
 * name the groups of the mark. Rejects if the host does not answer.
 */
export async function fetchExtra(options: ExtraOptions): Promise<ExtraData | undefined> {
  const { item, fields, rows, row, filters, localeId, timezoneId, send } = options;
  const dimensions = dimensionsOf(item, fields);
  const clause = clauseOf({ item, fields, rows: rows.slice(row, row + 1), localeId, timezoneId });
  const isNamed = dimensions.every(({ columnId, datasetId }) => columnId && datasetId);
  if (!isNamed || (dimensions.length > 0 && !clause)) return undefined;
  const extra = extraFields(item);
  const isMeasure = (field: SlotField) =>
    (field.aggregation ?? field.formulaId ?? field.formula) !== undefined;
  const groups = extra.filter((field) => !isMeasure(field));
  const asked = [...groups, ...extra.filter(isMeasure)];
  const [answer] = await send([
    {
      dimensions: groups.map(dimensionOf),
      measures: extra.filter(isMeasure).map((field) => measureOf(field, false)),
      where: [...filters.where, ...(clause?.where ?? [])],
      limit: { by: mostRows + 1 },
      options: { locale_id: localeId, timezone_id: timezoneId },
    },
  ]);
  if (answer?.failure !== undefined) throw answer.failure;
  const found = answer?.rows ?? [];
  const names = readColumns({ fields: asked, localeId, timezoneId }).map(({ name }) => name);
  return {
    columns: asked.map(({ datasetId, columnId, formulaId }, index) => ({
      name: names[index] ?? "",
      ...(datasetId !== undefined && { datasetId }),
      ...(columnId !== undefined && { columnId }),
      ...(formulaId !== undefined && { formulaId }),
    })),
    rows: found.slice(0, mostRows).map((cells) => cells.map(plainCell)),
    isComplete: found.length <= mostRows,
  };
}

const plainCell = (cell: ChartCell): string | number | null =>
  typeof cell === "object" && cell !== null ? cell.id : cell;
