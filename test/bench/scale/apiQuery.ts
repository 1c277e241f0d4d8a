import type { Level, Query } from "../../../plugins/protocol/index.ts";

/** A dataset of the host, with its column ids by column name. */
export interface ScaleDataset {
  readonly id: string;
  readonly columns: ReadonlyMap<string, string>;
}

const levels: Readonly<Partial<Record<Level, number>>> = {
  year: 1,
  quarter: 2,
  month: 3,
  week: 4,
  day: 5,
};

/**
 * Converts a query of the protocol to the `find` of the data service. `joined` contains the columns of the joined
 * dataset.
 */
export function apiQuery(query: Query, dataset: ScaleDataset, joined?: ScaleDataset): object {
  const referenceOf = (name: string, level?: Level) => {
    const [id, of] =
      name === "*" || dataset.columns.has(name) ? [name, dataset] : [name, joined ?? dataset];
    return {
      dataset_id: of.id,
      column_id: id === "*" ? "*" : of.columns.get(id),
      ...(level && { level: levels[level] }),
    };
  };
  const items = query.columns.map(({ column_id, level, aggregation }) => ({
    ...referenceOf(column_id, level),
    ...(aggregation && { aggregation: { type: aggregation } }),
  }));
  const isMeasure = (index: number) => query.columns[index]?.aggregation !== undefined;
  const where = query.filters.flatMap((filter) =>
    "column_id" in filter
      ? [
          {
            expression: `? ${filter.expression} ?`,
            parameters: [
              referenceOf(filter.column_id, filter.level),
              filter.expression === "in" ? filter.value : filter.value?.[0],
            ],
          },
        ]
      : [],
  );
  if (where.length < query.filters.length)
    throw new Error("nested filters are not supported by the bench");
  return {
    dimensions: items.filter((_, index) => !isMeasure(index)),
    measures: items.filter((_, index) => isMeasure(index)),
    where,
    order: (query.order ?? []).map(({ column, order }) => ({ ...items[column], order })),
    ...(query.limit && { limit: query.limit }),
    options: { rollup_data: query.options.pushdown, cells: "plain" },
  };
}
