import { arrayBinding, type Catalog } from "../../catalog/index.ts";

interface LabelRow {
  readonly value: string;
  readonly name: Readonly<Record<string, string>> | null;
  readonly color: string | null;
}

/** Reads the labels and colours of column values for query answers, with one statement per call. */
export interface HierarchyLabels {
  /** Counts the values with a label or colour, by column. Columns without such values are absent. */
  count(columnIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Finds the labels of `values` in a column, or of all its values if `values` is omitted. */
  find(
    columnId: string,
    values?: readonly string[],
  ): Promise<ReadonlyMap<string, Omit<LabelRow, "value">>>;
}

/** Creates the reader of labels and colours, which queries the catalog and caches nothing. */
export function createHierarchyLabels({ knex }: Pick<Catalog, "knex">): HierarchyLabels {
  const labelled = () =>
    knex("hierarchy_element").whereRaw("(name is not null or color is not null)");
  return {
    async count(columnIds) {
      const rows: readonly { column_id: string; count: unknown }[] = await labelled()
        .select("column_id")
        .count({ count: "*" })
        .whereRaw("column_id = any(?::uuid[])", [arrayBinding(columnIds)])
        .groupBy("column_id");
      return new Map(rows.map(({ column_id, count }) => [column_id, Number(count)]));
    },
    async find(columnId, values) {
      const query = labelled().select("value", "name", "color").where("column_id", columnId);
      if (values) query.whereRaw("value = any(?::text[])", [arrayBinding(values)]);
      const rows: readonly LabelRow[] = await query;
      return new Map(rows.map(({ value, ...label }) => [value, label]));
    },
  };
}
