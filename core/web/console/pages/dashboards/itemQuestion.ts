import { textOf } from "../../language/index.ts";
import {
  chooseChart,
  questionTitle,
  readStoredQuestion,
  withQuestion,
  type ExploredColumn,
  type ExploredDataset,
  type Filter,
  type Inexpressible,
  type Question,
  type StoredQuestion,
} from "../../questions/index.ts";
import {
  filtersIn,
  withFilter,
  withFilterAt,
  withoutFilter,
  type BoardFilter,
} from "./boardFilters.ts";
import {
  positionOf,
  withItem,
  withTitle,
  type BoardItem,
  type BoardView,
  type Contents,
} from "./contents.ts";
import { freePlace, sizeOf } from "./gridPlaces.ts";

/** The question of an item of a dashboard, with the item's own filters. */
export interface ItemQuestion extends StoredQuestion {
  /** The filters of the question, as the dashboard stores them, in the same order. */
  readonly filters: readonly BoardFilter[];
  /** Whether the item has further filters, whose form a question does not have. They still apply. */
  readonly hasOtherFilters: boolean;
}

/** Reads the question of an item with its own filters. Returns why not if no question can express the item. */
export function readItemQuestion(
  contents: Contents,
  view: BoardView,
  item: BoardItem,
): ItemQuestion | Inexpressible {
  const stored = readStoredQuestion(item);
  if (typeof stored === "string") return stored;
  const all = filtersIn(contents, { kind: "item", view, itemId: item.id });
  const filters = all.filter(
    ({ datasetId }) => stored.datasetId === undefined || datasetId === stored.datasetId,
  );
  const own = (view.filterGroups ?? []).filter(
    ({ origin, itemId }) => origin === "itemFilter" && itemId === item.id,
  );
  return {
    ...stored,
    question: {
      ...stored.question,
      filters: filters.map(({ id, test, value }) => ({
        id,
        test,
        ...(value !== undefined && { value }),
      })),
    },
    filters,
    hasOtherFilters:
      filters.length < all.length || own.some(({ subGroups = [] }) => subGroups.length > 0),
  };
}

export interface ItemChange {
  readonly contents: Contents;
  readonly view: BoardView;
  readonly item: BoardItem;
  readonly before: ItemQuestion;
  readonly dataset: ExploredDataset;
  /** Whether the dashboard chooses the type of the chart, and with it the size and the place of the item. */
  readonly isAutomatic: boolean;
}

/** Returns contents in which an item asks another question. */
export function withItemQuestion(change: ItemChange, question: Question): Contents {
  const { contents, view, item, before, dataset, isAutomatic } = change;
  const columns = new Map(dataset.columns.map((column) => [column.id, column]));
  const chart = isAutomatic ? chooseChart({ ...question, chart: "" }, columns) : question.chart;
  const titled = withQuestionTitle(change, question, columns);
  const asked = withQuestion(titled, before, { ...question, chart }, dataset);
  const next = isAutomatic ? withUsualSize(change, asked) : asked;
  const changed = next === item ? contents : withItem(contents, view, next);
  return withFilters(changed, change, question.filters);
}

/** Returns a new chart in the size of its type and at a free place, unless the reader has resized it. */
function withUsualSize({ view, item }: ItemChange, asked: BoardItem): BoardItem {
  const { sizeX, sizeY } = positionOf(item);
  const before = sizeOf(item.type, view.screenModus);
  const size = sizeOf(asked.type, view.screenModus);
  const isUsual = sizeX === before.sizeX && sizeY === before.sizeY;
  if (!isUsual || (size.sizeX === sizeX && size.sizeY === sizeY)) return asked;
  const others = (view.items ?? []).filter(({ id }) => id !== item.id);
  return { ...asked, position: { ...asked.position, ...freePlace(others, size) } };
}

/**
 * Returns the item with the title of the next question, if it has the title of the question before, or is new. Other
 * titles were chosen by somebody.
 */
function withQuestionTitle(
  { item, before }: ItemChange,
  question: Question,
  columns: ReadonlyMap<string, ExploredColumn>,
): BoardItem {
  const stored = textOf(item.options?.["title"]);
  const isNew = before.entries.length === 0 && stored === "";
  if (!isNew && (stored === "" || stored !== questionTitle(before.question, columns))) return item;
  const title = questionTitle(question, columns);
  return title === stored ? item : withTitle(item, title);
}

/** Returns contents with the filters of a question, which are found by their place in the list. */
function withFilters(
  contents: Contents,
  { view, item, before, dataset }: ItemChange,
  next: readonly Filter[],
): Contents {
  const known = before.question.filters;
  const has = (list: readonly Filter[], filter: Filter): boolean =>
    list.some((each) => each === filter || JSON.stringify(each) === JSON.stringify(filter));
  const scopeIn = ({ views = [] }: Contents) => ({
    kind: "item" as const,
    view: views.find(({ screenModus }) => screenModus === view.screenModus) ?? view,
    itemId: item.id,
  });
  const storedNow = (of: Contents) =>
    filtersIn(of, scopeIn(of)).filter(({ datasetId }) => datasetId === dataset.id);
  let result = contents;
  // From the last to the first, so that the places of the others stay the same.
  for (let at = known.length - 1; at >= 0; at--) {
    const was = known[at];
    const stored = storedNow(result)[at];
    if (!was || !stored || has(next, was)) continue;
    const replacement = next.length === known.length ? next[at] : undefined;
    result = replacement
      ? withFilterAt(result, scopeIn(result), stored, replacement)
      : withoutFilter(result, scopeIn(result), stored);
  }
  const added = next.length > known.length ? next.filter((each) => !has(known, each)) : [];
  for (const filter of added) result = withFilter(result, scopeIn(result), dataset.id, filter);
  return result;
}
