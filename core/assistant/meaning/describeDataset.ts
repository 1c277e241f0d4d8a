import { levelNumber, levels } from "../../../plugins/protocol/index.ts";
import { ApiError } from "../../base/index.ts";
import type { Queries } from "../../queries/index.ts";
import type { AssistantCaller } from "../callAs.ts";
import type { ReadDatasets } from "./createDatasetReader.ts";
import type { Measures } from "./createMeasures.ts";
import { measureDataset } from "./measureDataset.ts";
import type { KnownColumn, KnownDataset } from "./readDatasets.ts";

export interface DescribeOptions {
  readonly readDatasets: ReadDatasets;
  readonly queries: Pick<Queries, "answer">;
  readonly measures: Measures;
}

const mostExamples = 4;

/**
 * Describes a dataset for authors of queries. The description contains columns with their levels, and with ranges and
 * frequent values of the rows that the caller sees. It also contains formulas, links, remarks of editors, and sample
 * questions. Figures are null if the source cannot compute them.
 * @throws {ApiError} RECORD_NOT_FOUND
 */
export async function describeDataset(
  id: string,
  caller: AssistantCaller,
  { readDatasets, queries, measures }: DescribeOptions,
  language?: string,
): Promise<object> {
  const [dataset] = await readDatasets({ ids: [id], language, limit: 1 }, caller);
  if (!dataset) throw new ApiError("RECORD_NOT_FOUND", ["dataset", id]);
  const figures = await measures.remember(dataset, true, caller, () =>
    measureDataset(dataset, caller, queries, true),
  );
  const { name, description, context, columns, formulas } = dataset;
  return {
    dataset_id: dataset.id,
    name,
    description,
    context,
    rows: figures?.rows ?? null,
    columns: columns.map((column) => ({
      column_id: column.id,
      name: column.name,
      type: column.type,
      description: column.description,
      context: column.context,
      is_derived: column.isDerived,
      ...(column.type === "datetime" && { levels: levelsOf(column) }),
      links: column.joins.map(({ columnId, datasetId }) => ({
        column_id: columnId,
        dataset_id: datasetId,
      })),
      figures: figures?.columns[column.id] ?? null,
    })),
    formulas: formulas.map((formula) => ({
      formula_id: formula.id,
      name: formula.name,
      description: formula.description,
      context: formula.context,
      expression: formula.expression,
    })),
    example_questions: examplesOf(dataset),
  };
}

/** Returns the levels to which a datetime column may be truncated, with their numbers in queries. */
function levelsOf({ lowestLevel }: KnownColumn): readonly object[] {
  const named = levels.map((name) => ({ level: levelNumber(name), name }));
  return lowestLevel > 0 ? named.slice(0, lowestLevel) : named;
}

/** Generates sample questions that suit the columns, without calling a model. */
function examplesOf({ columns, formulas }: KnownDataset): readonly string[] {
  const of = (type: KnownColumn["type"]) => columns.filter((column) => column.type === type);
  const [measure] = [...formulas, ...of("numeric")];
  const what = measure?.name ?? "number of rows";
  const by = of("hierarchy").map(({ name }) => `What is the ${what} by ${name}?`);
  const over = of("datetime").map(({ name }) => `How does the ${what} change by month of ${name}?`);
  return [...over.slice(0, 1), ...by].slice(0, mostExamples);
}
