import type { Api } from "../../api/index.ts";
import { readerZone, writeNumber } from "../../language/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import {
  describeFilter,
  nameOf,
  whereOf,
  type ExploredDataset,
  type Question,
  rowCountOf,
} from "../../questions/index.ts";
import { words } from "./words.ts";

export interface EmptyAnswer {
  readonly api: Api;
  readonly dataset: ExploredDataset;
  readonly question: Question;
  readonly answered: AnsweredItem;
  readonly signal: AbortSignal;
}

/**
 * Returns why a question has no rows, as sentences: which columns a policy limits, how many rows the reader can see,
 * and how many each filter of the question leaves of those that passed the filters before it.
 */
export async function whyEmpty({
  api,
  dataset,
  question,
  answered,
  signal,
}: EmptyAnswer): Promise<readonly string[]> {
  const { filters } = question;
  const queries = [...filters.keys(), filters.length].map((count) => ({
    measures: [rowCountOf(dataset.id)],
    where: whereOf(filters.slice(0, count), dataset.id),
    options: { timezone_id: readerZone },
  }));
  const found = await api.call<unknown>("data", "get", { find: { queries } }, { signal });
  const counts = [found]
    .flat()
    .map((answer) => Number((answer as { readonly data?: readonly [[number]] }).data?.[0]?.[0]));
  if (counts.length !== queries.length || counts.some(Number.isNaN)) return [];
  const columns = new Map(dataset.columns.map((column) => [column.id, nameOf(column)]));
  const nameOfColumn = (id: string | undefined) => columns.get(id ?? "") ?? words.plan.hidden;
  const policies = (answered.answer.explain?.filters ?? []).filter(
    ({ origin }) => origin !== "question",
  );
  const limits = new Set(policies.map((each) => words.why.limited(nameOfColumn(each.column_id))));
  const [all = 0] = counts;
  return [
    ...limits,
    words.why.visible(all),
    ...filters.map((filter, index) =>
      words.why.leaves(
        describeFilter(filter, nameOfColumn(filter.id)),
        writeNumber(counts[index + 1] ?? 0),
        writeNumber(counts[index] ?? 0),
      ),
    ),
  ];
}
