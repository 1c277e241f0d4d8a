import {
  aggregationDefinitions,
  type DataType,
  type Expression,
  type FunctionName,
  type QueryColumn,
} from "../../../plugins/protocol/index.ts";
import type { Calculation, Formula } from "../boundQuery.ts";
import type { ComparisonType } from "../calculationTypes.ts";
import { keyOf, type BoundReference } from "./boundReference.ts";

/**
 * Collects the distinct columns of the pushed query, numbered 0, 1, 2 and so on, the formulas over them, numbered -1,
 * -2, -3 and so on, and the calculations that formulas read. A measure with a calculation is a formula.
 */
export function createOutputs() {
  const columns: QueryColumn[] = [];
  const types: DataType[] = [];
  const formulas: Formula[] = [];
  const calculations: Calculation[] = [];
  const indexes = new Map<string, number>();
  const add = (reference: BoundReference): number => {
    const known = indexes.get(keyOf(reference));
    if (known !== undefined) return known;
    if (reference.formula || reference.calculation) {
      const isDate = !reference.calculation && reference.formula?.isDate;
      const index = -formulas.push({
        type: reference.type,
        expression: calculatedOf(reference),
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
  /** Returns the value of a measure without its calculation. */
  const valueOf = (calculated: BoundReference): Expression => {
    const { calculation: _, ...reference } = calculated;
    if (!reference.formula) return columnOf(String(add(reference)));
    const { aggregates, value } = reference.formula;
    return value(aggregates.map((each) => String(add(each))));
  };
  const calculatedOf = (reference: BoundReference): Expression => {
    const value = valueOf(reference);
    const { calculation } = reference;
    if (!calculation) return value;
    if ("per" in calculation) {
      const { type: kind, isAscending } = calculation;
      const per = calculation.per.map(add);
      return columnOf(calculate((id) => ({ kind, id, value, per, isAscending })));
    }
    const { type, ...past } = calculation;
    return comparedWith(columnOf(calculate((id) => ({ kind: "past", id, ...past }))), value, type);
  };
  /** Returns the id of a calculated column. Equal columns have one id. */
  const calculate = (make: (id: string) => Calculation): string => {
    const key = JSON.stringify(make(""));
    const known = calculations.find((each) => JSON.stringify({ ...each, id: "" }) === key);
    if (known) return known.id;
    const made = make(`calculation.${calculations.length}`);
    calculations.push(made);
    return made.id;
  };
  return { add, columns, formulas, calculations, types };
}

function columnOf(columnId: string): Expression {
  return { kind: "column", column_id: columnId };
}

function comparedWith(past: Expression, value: Expression, type: ComparisonType): Expression {
  const call = (name: FunctionName, ...args: readonly Expression[]): Expression => ({
    kind: "call",
    function: name,
    args,
  });
  switch (type) {
    case "past":
      return past;
    case "absolute_change":
      return call("subtract", value, past);
    case "percentage_change":
      return call("divide", call("subtract", value, past), call("abs", past));
    default:
      throw new TypeError(`${type satisfies never} must be computed here`);
  }
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
