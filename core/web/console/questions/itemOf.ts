import { localized } from "../language/index.ts";
import { fillSlots, offeredTypes, type FilledSlot, type ItemType } from "../../charts/index.ts";
import { phraseOfValue, storedCalculation } from "./calculations.ts";
import type { ExploredColumn, ExploredDataset } from "./columns.ts";
import type { Filter, Grouping, Measure, Question } from "./question.ts";
import { rankingOf } from "./rankingOf.ts";
import { questionTitle } from "./questionTitle.ts";

const usualBins = 20;
/** Maximum number of bins with one whole number each. */
const mostWholeBins = 50;

/** An item in the form in which dashboards store it. */
export interface StoredItem {
  readonly id: string;
  readonly type: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly slots: readonly FilledSlot<Readonly<Record<string, unknown>>>[];
}

/** Chooses the chart type for a question: lines for time, bars for categories, a number for a single value. */
export function chooseChart(
  question: Question,
  columns: ReadonlyMap<string, ExploredColumn>,
): ItemType {
  const chosen = offeredTypes("explore").find((each) => each === question.chart);
  if (chosen) return chosen;
  const [first] = question.rows;
  if (question.measures.length === 0) return "regular-table";
  if (!first) return question.color ? "bar-chart" : "evolution-number";
  if (question.rows.length > 1) return question.color ? "pivot-table" : "heat-table";
  const type = columns.get(first.id)?.type;
  return type === "datetime" ? "line-chart" : type === "numeric" ? "column-chart" : "bar-chart";
}

/** Returns the item of a question, which Explore draws and dashboards store. */
export function itemOf(question: Question, dataset: ExploredDataset, id = "explored"): StoredItem {
  const columns = new Map(dataset.columns.map((column) => [column.id, column]));
  const type = chooseChart(question, columns);
  const grouping = ({ id: columnId, level }: Grouping) => {
    const column = columns.get(columnId);
    return {
      ...referenceOf(columnId, dataset, column),
      ...(column?.type === "datetime" && { level: level ?? 3 }),
      ...(column?.type === "numeric" &&
        type !== "regular-table" && {
          bins: { enabled: true, number: binsOf(column) },
        }),
    };
  };
  const title = questionTitle(question, columns);
  const { hasOrder, hasLimit } = rankingOf(question, type);
  const groupings = question.color ? [...question.rows, question.color] : question.rows;
  return {
    id,
    type,
    options: {
      ...(title !== "" && { title: localized(title) }),
      ...(hasOrder && question.order && { sort: question.order }),
      ...(hasLimit && question.limit !== undefined && { limit: { number: question.limit } }),
    },
    slots: fillSlots<Readonly<Record<string, unknown>>>(type, {
      dimensions: groupings.map(grouping),
      measures: question.measures.map((measure) => measureOf(measure, question, dataset)),
    }),
  };
}

/** Returns a measure of a question in the form in which items store it. */
export function measureOf(
  measure: Measure,
  question: Question,
  dataset: ExploredDataset,
): Readonly<Record<string, unknown>> {
  const { id, aggregation } = measure;
  const columns = new Map(dataset.columns.map((column) => [column.id, column]));
  return {
    ...referenceOf(id, dataset, columns.get(id)),
    ...(id === "*" && { type: "numeric", format: ",.0f" }),
    // Charts add the calculation to the name.
    label: localized(phraseOfValue(measure, columns)),
    aggregationFunc: aggregation,
    ...storedCalculation(measure, question, columns),
  };
}

/**
 * Returns the number of bins of a column of numbers: one for each whole number if there are few, so that hours of a day
 * are not grouped by two.
 */
function binsOf({ minimum, maximum }: ExploredColumn): number {
  if (!Number.isInteger(minimum) || !Number.isInteger(maximum)) return usualBins;
  const count = Number(maximum) - Number(minimum) + 1;
  return count > 1 && count <= mostWholeBins ? count : usualBins;
}

function referenceOf(columnId: string, dataset: ExploredDataset, column?: ExploredColumn) {
  return {
    datasetId: dataset.id,
    columnId,
    type: column?.type ?? "numeric",
    ...(column?.subtype && { subtype: column.subtype }),
    ...(column?.format && { format: column.format }),
    ...(column && { label: column.name }),
  };
}

/** Returns the filters of a question in the format of the data service. */
export function whereOf(filters: readonly Filter[], datasetId: string): object[] {
  return filters.map(({ id, test, value }) => ({
    expression: test,
    parameters: [{ dataset_id: datasetId, column_id: id }, ...(value === undefined ? [] : [value])],
  }));
}
