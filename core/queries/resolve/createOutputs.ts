import {
  aggregationDefinitions,
  type DataType,
  type QueryColumn,
} from "../../../plugins/protocol/index.ts";
import type { Formula } from "../boundQuery.ts";
import { keyOf, type BoundReference } from "./boundReference.ts";

/**
 * Collects the distinct columns of the pushed query, numbered 0, 1, 2 and so on, and the formulas over them, numbered
 * -1, -2, -3 and so on.
 */
export function createOutputs() {
  const columns: QueryColumn[] = [];
  const types: DataType[] = [];
  const formulas: Formula[] = [];
  const indexes = new Map<string, number>();
  const add = (reference: BoundReference): number => {
    const known = indexes.get(keyOf(reference));
    if (known !== undefined) return known;
    if (reference.formula) {
      const { aggregates, value, isDate } = reference.formula;
      const expression = value(aggregates.map((each) => String(add(each))));
      const index = -formulas.push({
        type: reference.type,
        expression,
        ...(isDate && { isDate }),
      });
      indexes.set(keyOf(reference), index);
      return index;
    }
    // The dimensions in `per` are columns already.
    const per = reference.per?.map(add);
    indexes.set(keyOf(reference), columns.length);
    types.push(reference.type);
    return columns.push({ ...outputColumn(reference), ...(per && { per }) }) - 1;
  };
  return { add, columns, formulas, types };
}

/** Returns the column's id in its plugin, or `*` for counted rows. */
export function pluginIdOf({ column }: BoundReference): string {
  return column?.pluginId ?? "*";
}

function outputColumn(reference: BoundReference): QueryColumn {
  const { column } = reference;
  return {
    column_id: pluginIdOf(reference),
    ...((column?.expression !== undefined || column?.isJoined) && { type: column.type }),
    ...(reference.level && { level: reference.level }),
    ...(reference.bins && !reference.aggregation && { bin: reference.bins }),
    ...(reference.aggregation && { aggregation: reference.aggregation }),
    ...(reference.fraction !== undefined && { fraction: reference.fraction }),
    ...secondOf(reference),
  };
}

/** Returns the second column of an aggregation, in the member that the aggregation takes. */
function secondOf({ aggregation, second }: BoundReference): Pick<QueryColumn, "weight" | "other"> {
  if (!second || !aggregation) return {};
  const isWeight = aggregationDefinitions[aggregation].takes === "weight";
  return isWeight ? { weight: second.pluginId } : { other: second.pluginId };
}
