import type { DataType, QueryColumn } from "../../../plugins/protocol/index.ts";
import type { Formula } from "../boundQuery.ts";
import { keyOf, type BoundReference } from "./boundReference.ts";

/**
 * Collects the distinct columns of the pushed query, from 0 up, and the formulas over them, from -1
 * down.
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
      const { aggregates, value } = reference.formula;
      const expression = value(aggregates.map((each) => String(add(each))));
      const index = -formulas.push({ type: reference.type, expression });
      indexes.set(keyOf(reference), index);
      return index;
    }
    indexes.set(keyOf(reference), columns.length);
    types.push(reference.type);
    return columns.push(outputColumn(reference)) - 1;
  };
  return { add, columns, formulas, types };
}

/** Returns the id of the column in its plugin; `*` for the rows that are counted. */
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
    ...(reference.weight && { weight: reference.weight.pluginId }),
  };
}
