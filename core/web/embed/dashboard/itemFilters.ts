import {
  filtersOf,
  type ChartItem,
  type DashboardView,
  type ItemFilters,
} from "../../charts/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** All filters that apply to the items of a dashboard, by origin. */
export interface FilterSources {
  readonly contents: Json;
  readonly view: DashboardView;
  /** Filters that the page sets, in the format of the data service. */
  readonly ofPage: readonly object[];
  /** Filters from the reader's choices, in the format of the data service. */
  readonly chosen: readonly object[];
}

/** Returns the filters of an item from the contents, the page and the reader. */
export function itemFilters(
  item: ChartItem,
  { contents, view, ofPage, chosen }: FilterSources,
): ItemFilters {
  const datasetIds = datasetsOf(item);
  const { where, having } = filtersOf({ contents, view: view.stored }, item);
  const own = ofPage.filter((filter) => concerns(filter, datasetIds));
  return { where: [...where, ...own, ...chosen], having };
}

/** Returns the ids of the datasets whose columns an item shows, without duplicates. */
export function datasetsOf({ fields }: ChartItem): readonly string[] {
  return fields.flatMap(({ datasetId }) => datasetId ?? []);
}

/**
 * Returns whether a filter names a column of one of the datasets. A group of filters names the columns of the filters
 * in it.
 */
export function concerns(filter: object, datasetIds: readonly string[]): boolean {
  return datasetIds.some((id) => JSON.stringify(filter).includes(JSON.stringify(id)));
}
