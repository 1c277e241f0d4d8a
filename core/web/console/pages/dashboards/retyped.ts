import type { ExploredDataset, Question } from "../../questions/index.ts";
import type { ItemQuestion } from "./itemQuestion.ts";

/** Returns the question of an item for another type: numbers that a table lists become values of a chart. */
export function retyped(
  { question }: ItemQuestion,
  type: string,
  dataset: ExploredDataset,
): Question {
  const isList = question.chart === "regular-table" && type !== "regular-table";
  const numeric = isList
    ? question.rows.flatMap(
        ({ id }) => dataset.columns.find((each) => each.id === id && each.type === "numeric") ?? [],
      )
    : [];
  if (numeric.length === 0) return { ...question, chart: type };
  const isNumber = (id: string) => numeric.some((each) => each.id === id);
  return {
    ...question,
    chart: type,
    rows: question.rows.filter(({ id }) => !isNumber(id)),
    measures: [
      ...question.measures,
      ...numeric.map(({ id, aggregation_type: usual }) => ({ id, aggregation: usual ?? "sum" })),
    ],
  };
}
