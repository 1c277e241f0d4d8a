import type { Choice } from "../../../embed/index.ts";
import { openMenu, type ConsoleContext, type MenuItem } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import {
  nameOf,
  withoutColumns,
  writeQuestion,
  type ExploredColumn,
  type ExploredDataset,
  type Filter,
  type Question,
} from "../../questions/index.ts";
import { addColumn } from "../../shelves/index.ts";
import { markGroups } from "./markGroups.ts";
import { openComparison } from "./openComparison.ts";
import { openRows } from "./openRows.ts";
import { words } from "./words.ts";

export interface MarkMenuOptions {
  readonly context: ConsoleContext;
  readonly dataset: ExploredDataset;
  readonly question: Question;
  readonly answered: AnsweredItem;
  readonly choice: Choice;
  /** The focused element, below which the menu opens. */
  readonly anchor: HTMLElement;
  /** Where the menu opens, in pixels of the window. */
  readonly at: { readonly x: number; readonly y: number };
  change(question: Question): void;
}

/** Maximum number of columns in the menu that breaks out a mark. */
const mostOffered = 40;

/**
 * Opens the menu of a mark: its rows, a breakdown by another column, filters for it and without it, a comparison with
 * the rest, and an alert above its value. A mark that combines several rows has no menu.
 */
export function openMarkMenu(options: MarkMenuOptions): void {
  const { choice, answered, question, dataset, context, anchor, at, change } = options;
  const { row } = choice.mark;
  const groups = row === undefined ? [] : markGroups(answered, row);
  if (row === undefined || groups.length === 0) return;
  const name = groups.map(({ label }) => label).join(", ");
  const own = groups.flatMap(({ filters }) => filters);
  const filtered = withFilters(question, own);
  const { rows } = answered;
  const firstMeasure = groups.length;
  const value = rows[row]?.[firstMeasure];
  const timeless = groups.filter(({ isPeriod }) => !isPeriod);
  const isTimed = timeless.length < groups.length;
  const isGuest = context.guest !== undefined;
  // An alert asks for each new period, so it keeps the grouping by time and no filter on it.
  const alerted = withFilters(
    withoutColumns(
      question,
      timeless.map(({ columnId }) => columnId),
    ),
    timeless.flatMap(({ filters }) => filters),
  );
  const items: MenuItem[] = [
    {
      label: words.mark.rows,
      run: () => void openRows({ api: context.api, dataset, name, filters: filtered.filters }),
    },
    {
      label: words.mark.breakOut,
      run: () => openMenu(anchor, words.mark.breakOut, breakOuts(options, own), { at }),
    },
    { label: words.mark.filter(name), run: () => change(filtered) },
    ...groups.flatMap(({ label, isPeriod, others }): MenuItem[] =>
      isPeriod || others.length !== 1
        ? []
        : [
            {
              label: words.mark.exclude(label),
              run: () => change(withFilters(question, others)),
            },
          ],
    ),
    // A calculation needs the other groups, which a comparison combines.
    ...(question.measures.length === 0 || question.measures.some((each) => each.calculation)
      ? []
      : [
          {
            label: words.mark.compare,
            run: () =>
              void openComparison({ api: context.api, dataset, question, answered, groups, name }),
          },
        ]),
    ...(isGuest || typeof value !== "number" || !isTimed
      ? []
      : [
          "separator" as const,
          {
            label: words.mark.alert(choice.mark.value),
            run: () =>
              context.router.go(
                `/alerts/new?dataset=${dataset.id}&q=${encodeURIComponent(writeQuestion(alerted))}&above=${value}`,
              ),
          },
        ]),
  ];
  openMenu(anchor, name, items, { at });
}

const withFilters = (question: Question, filters: readonly Filter[]): Question => ({
  ...question,
  filters: [...question.filters, ...filters],
});

/** Lists the columns by which a mark can be broken out: categories and dates that the question does not group by. */
function breakOuts(
  { question, dataset, change }: MarkMenuOptions,
  own: readonly Filter[],
): readonly MenuItem[] {
  const used = new Set(
    [...question.rows, ...(question.color ? [question.color] : [])].map(({ id }) => id),
  );
  const byColumn = (column: ExploredColumn): Question => {
    const bare = { ...question, rows: [], color: undefined, chart: "" };
    return withFilters(addColumn(bare, column, "rows"), own);
  };
  const free = dataset.columns.filter(({ id, type }) => type !== "numeric" && !used.has(id));
  return free
    .toSorted((one, other) => Number(one.type === "datetime") - Number(other.type === "datetime"))
    .slice(0, mostOffered)
    .map((column) => ({ label: nameOf(column), run: () => change(byColumn(column)) }));
}
