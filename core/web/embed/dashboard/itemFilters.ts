import {
  filtersOf,
  type ChartItem,
  type ComparedPeriod,
  type DashboardView,
  type ItemFilters,
} from "../../charts/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** All filters that apply to the items of a dashboard, by origin. */
export interface FilterSources {
  readonly contents: Json;
  readonly view: DashboardView;
  /** Filters of the page and of the reader, in the format of the data service. */
  readonly added: readonly object[];
  /** Ids of filter items whose stored filters give way to what readers chose, which is in `added`. */
  readonly replaced: ReadonlySet<string>;
  readonly compare: readonly ComparedPeriod[];
}

/** Returns the filters of an item from the contents, the page and the reader. */
export function itemFilters(
  item: ChartItem,
  { contents, view, added, replaced, compare }: FilterSources,
): ItemFilters {
  const { where, having } = filtersOf({ contents, view: view.stored }, item, replaced);
  return { where: [...where, ...added], addedCount: added.length, having, compare };
}

/** Returns the filters of the page that concern an item, and those that the reader chose. */
export function addedFilters(
  item: ChartItem,
  ofPage: readonly object[],
  chosen: readonly object[],
): readonly object[] {
  const datasetIds = datasetsOf(item);
  return [...ofPage.filter((filter) => concerns(filter, datasetIds)), ...chosen];
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
