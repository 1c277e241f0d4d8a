import type { AnsweredQuery } from "./answeredQuery.ts";
import type { Reference } from "../parsedQuery.ts";
import { readRole } from "../roles.ts";

/** The name and origin of a column of an answer. */
export interface AnswerField {
  /**
   * The column's name with its level or aggregation, such as `month(Day)` or `sum(Km)`; for a formula, its source text.
   * Unique in the answer.
   */
  readonly name: string;
  /** The members `dataset_id`, `via`, `column_id`, `level` and `aggregation` that the query contains. */
  readonly metadata: ReadonlyMap<string, string>;
}

/** Returns the names and origins of an answer's columns, in the order of its cells. */
export function answerFields({ parsed, secured }: AnsweredQuery): readonly AnswerField[] {
  const { dimensions, measures } = parsed;
  const datasets = [secured.dataset, ...secured.joined];
  const columns = new Map(datasets.flatMap((dataset) => [...dataset.columns]));
  const taken = new Set<string>();
  return [...dimensions, ...measures].map((reference, cell) => {
    const index = secured.cells[cell] ?? -1;
    const { level, bin, aggregation, fraction } = secured.query.columns[index] ?? {};
    const { datasetId, columnId, via, calculation } = reference;
    const metadata = Object.entries({
      dataset_id:
        (datasetId === undefined ? undefined : readRole(datasetId)?.datasetId) ?? datasetId,
      via,
      column_id: columnId,
      level,
      aggregation,
    });
    const column = nameOf(reference, columns.get(columnId)?.name);
    const leveled = level ? `${level}(${column})` : bin ? `bin(${column})` : column;
    const shown = fraction === undefined ? leveled : `${leveled}, ${fraction}`;
    const aggregated = aggregation ? `${aggregation}(${shown})` : shown;
    const name = unique(calculation ? `${calculation.type}(${aggregated})` : aggregated, taken);
    taken.add(name);
    return {
      name,
      metadata: new Map(
        metadata.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
    };
  });
}

function nameOf({ columnId, expression, formula }: Reference, stored: string | undefined): string {
  const name = formula ?? (expression === undefined ? stored : undefined);
  return (name || columnId).toWellFormed();
}

/** Returns the name. If the name is taken, appends the lowest number that makes it unique. */
function unique(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name} ${number}`)) return `${name} ${number}`;
}
