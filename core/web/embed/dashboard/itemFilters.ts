import {
  filtersOf,
  type ChartItem,
  type DashboardView,
  type ItemFilters,
} from "../../charts/index.ts";

type Json = Readonly<Record<string, unknown>>;

/** All that filters the items of a dashboard. */
export interface FilterSources {
  readonly contents: Json;
  readonly view: DashboardView;
  /** Filters of the page. */
  readonly ofPage: readonly object[];
  /** Filters of what the reader chose. */
  readonly chosen: readonly object[];
}

/** Returns the filters of an item: of the contents, of the page, of the reader. */
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

/** Returns whether a filter names a column of one of the datasets. Groups do where one of their members does. */
export function concerns(filter: object, datasetIds: readonly string[]): boolean {
  return datasetIds.some((id) => JSON.stringify(filter).includes(JSON.stringify(id)));
}
