import { readColumns, type ChartCell } from "../../../charts/index.ts";
import type { Api } from "../../api/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import { openLoadedDialog, rowTable } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import { whereOf, type ExploredDataset, type Question } from "../../questions/index.ts";
import type { MarkGroup } from "./markGroups.ts";
import { words } from "./words.ts";

export interface ComparisonOptions {
  readonly api: Api;
  readonly dataset: ExploredDataset;
  readonly question: Question;
  readonly answered: AnsweredItem;
  readonly groups: readonly MarkGroup[];
  /** What the groups are called together. */
  readonly name: string;
}

type Row = readonly ChartCell[];

const percentages = new Intl.NumberFormat(readerLocale, {
  style: "percent",
  maximumFractionDigits: 1,
  signDisplay: "exceptZero",
});

/** Compares the measures of some groups with the measures of all other rows that pass the filters of the question. */
export async function openComparison(options: ComparisonOptions): Promise<void> {
  const { answered, groups, name } = options;
  const columns = readColumns({
    fields: answered.fields,
    localeId: readerLocale,
    timezoneId: readerZone,
  }).slice(groups.length);
  await openLoadedDialog({
    title: words.comparisonOf(name),
    read: () => readBoth(options),
    body: ([own, rest]) =>
      rowTable({
        label: words.comparisonOf(name),
        columns: [
          { head: "", isName: true, cell: ({ column }) => column.name },
          { head: name, isNumeric: true, cell: ({ column, at }) => column.text(own[at]) },
          { head: words.rest, isNumeric: true, cell: ({ column, at }) => column.text(rest[at]) },
          {
            head: words.difference,
            isNumeric: true,
            cell: ({ at }) => differenceOf(own[at], rest[at]),
          },
        ],
        rows: columns.map((column, at) => ({ column, at })),
      }),
  });
}

/** Returns by how much a value differs from another, as a percentage; a dash if it cannot be said. */
function differenceOf(one: ChartCell | undefined, other: ChartCell | undefined): string {
  if (typeof one !== "number" || typeof other !== "number" || other === 0) return "–";
  return percentages.format((one - other) / Math.abs(other));
}

async function readBoth({
  api,
  dataset,
  question,
  answered,
  groups,
}: ComparisonOptions): Promise<readonly [Row, Row]> {
  const { id } = dataset;
  const base = whereOf(question.filters, id);
  const own = groups.flatMap(({ filters }) => whereOf(filters, id));
  const others = groups.flatMap((group) => whereOf(group.others, id));
  const { measures, options } = answered.query;
  const queries = [
    { measures, where: [...base, ...own], options },
    { measures, where: [...base, others.length === 1 ? others[0] : { or: others }], options },
  ];
  const answers = await api.call<readonly { readonly data: readonly Row[] }[]>("data", "get", {
    find: { queries },
  });
  return [answers[0]?.data[0] ?? [], answers[1]?.data[0] ?? []];
}
