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
  /** Filters set by the page. */
  readonly ofPage: readonly object[];
  /** Filters from the choices of the reader. */
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

/** Returns the datasets whose columns an item shows. */
export function datasetsOf({ fields }: ChartItem): readonly string[] {
  return fields.flatMap(({ datasetId }) => datasetId ?? []);
}

/**
 * Returns whether a filter names a column of one of the datasets. A group of filters names the columns of its members.
 */
export function concerns(filter: object, datasetIds: readonly string[]): boolean {
  return datasetIds.some((id) => JSON.stringify(filter).includes(JSON.stringify(id)));
}
