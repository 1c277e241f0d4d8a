import type { Queries, QueryAnswer, AnswerCell } from "../../queries/index.ts";
import { ApiError } from "../../base/index.ts";
import { PluginError } from "../../../plugins/protocol/index.ts";
import type { AssistantCaller } from "../callAs.ts";
import { plainText } from "./words.ts";
import type { KnownColumn, KnownDataset } from "./readDatasets.ts";

/** Figures of a column over the rows that the caller sees. */
export interface ColumnFigures {
  readonly minimum?: AnswerCell;
  readonly maximum?: AnswerCell;
  readonly distinct_count?: AnswerCell;
  /** The most frequent values, each with its number of rows. The most frequent value comes first. */
  readonly frequent?: readonly { readonly value: AnswerCell; readonly rows: AnswerCell }[];
}

export interface DatasetFigures {
  readonly rows: AnswerCell;
  /** The figures of each column, by column id. */
  readonly columns: Readonly<Record<string, ColumnFigures>>;
}

const measuredColumns = 60;
const sampledColumns = 12;
const frequentCount = 8;
const valueLength = 80;

/**
 * Measures a dataset with ordinary queries, so that row filters apply. It counts rows and distinct values, determines
 * ranges and, with `withValues`, finds frequent values. Undefined if the source cannot answer; running a query then
 * shows the reason.
 */
export async function measureDataset(
  dataset: KnownDataset,
  { principal, signal }: AssistantCaller,
  queries: Pick<Queries, "answer">,
  withValues: boolean,
): Promise<DatasetFigures | undefined> {
  const columns = dataset.columns.slice(0, measuredColumns);
  const dataset_id = dataset.id;
  const of = ({ id }: KnownColumn, type: string) => ({
    dataset_id,
    column_id: id,
    aggregation: { type },
  });
  const rowCount = { dataset_id, column_id: "*", aggregation: { type: "count" } };
  const measures = columns.flatMap((column) =>
    column.type === "hierarchy"
      ? [of(column, "distinctcount")]
      : [of(column, "min"), of(column, "max")],
  );
  const sampled = withValues
    ? columns.filter(({ type }) => type === "hierarchy").slice(0, sampledColumns)
    : [];
  const find = {
    queries: [
      { measures: [rowCount, ...measures], options: { cells: "plain" } },
      ...sampled.map(({ id }) => ({
        dimensions: [{ dataset_id, column_id: id }],
        measures: [rowCount],
        order: [{ ...rowCount, order: "desc" }],
        limit: { by: frequentCount },
        options: { cells: "plain" },
      })),
    ],
  };
  let answers: readonly QueryAnswer[];
  try {
    answers = [await queries.answer(find, principal, signal)].flat();
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof ApiError || failure instanceof PluginError) return undefined;
    throw failure;
  }
  const [totals, ...values] = answers;
  const [cells] = totals?.data ?? [];
  if (!cells) return undefined;
  let place = 1;
  const figures: Record<string, ColumnFigures> = {};
  for (const column of columns) {
    if (column.type === "hierarchy")
      figures[column.id] = { distinct_count: cells[place++] ?? null };
    else
      figures[column.id] = {
        minimum: cells[place++] ?? null,
        maximum: cells[place++] ?? null,
      };
  }
  for (const [index, { id }] of sampled.entries()) {
    const frequent = (values[index]?.data ?? []).map(([value = null, rows = null]) => ({
      value: typeof value === "string" ? plainText(value, valueLength) : value,
      rows,
    }));
    figures[id] = { ...figures[id], frequent };
  }
  return { rows: cells[0] ?? null, columns: figures };
}
