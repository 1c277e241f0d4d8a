import { EngineError } from "../errors.ts";
import type { ColumnSnapshot, Snapshot } from "../table/snapshot.ts";
import { compilePeriodFloor, periodCount } from "../time/periodFloor.ts";
import { readZone } from "../time/zone.ts";
import {
  periods,
  type AggregateFunction,
  type DataType,
  type Expression,
  type Output,
  type Predicate,
} from "../types.ts";
import { bindPredicate, type Operand } from "./bindPredicate.ts";
import type {
  BoundArgument,
  BoundCell,
  BoundExpression,
  BoundGrouping,
  BoundKey,
  BoundOutput,
  BoundState,
  StateFunction,
} from "./boundPlan.ts";
import { textOperand } from "./textOperand.ts";

/** A column of the answer: its type and, of a text, where its codes come from. */
export interface AnswerColumn {
  readonly type: DataType;
  readonly source: ColumnSnapshot | undefined;
}

/** Products of cardinalities up to which groups are an array instead of a hash table. */
const directGroups = 131_072;
const knownPeriods = new Set<string>(periods);

/** The states from which each aggregate is made. */
const aggregates: Readonly<
  Record<AggregateFunction, { readonly states: readonly StateFunction[]; readonly numeric?: true }>
> = {
  rows: { states: ["rows"] },
  count: { states: ["count"] },
  sum: { states: ["sum", "count"], numeric: true },
  average: { states: ["sum", "count"], numeric: true },
  min: { states: ["min"] },
  max: { states: ["max"] },
  distinctcount: { states: ["distinct"] },
};

/** Binds the parts of a plan to the columns of a snapshot; `columns` are those that were named, in the order of their first use. */
export class Binder {
  readonly columns: ColumnSnapshot[] = [];
  readonly #snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  predicate(predicate: Predicate) {
    return bindPredicate(predicate, (leaf): Operand => {
      const { left } = leaf;
      if (left.kind === "column") {
        const column = this.#find(left.name);
        if (column.dictionary) return textOperand(left.name, this.#indexOf(column), column);
      }
      return {
        kind: "number",
        label: this.#rootOf(left).definition.name,
        type: this.#typeOf(left),
        of: this.#expression(left),
      };
    });
  }

  answerColumn(output: Output): AnswerColumn {
    if (output.kind === "key") return this.#answerOf(output.of);
    if (output.kind !== "aggregate")
      throw new EngineError("QUERY_PLAN", ["an output is a key or an aggregate"]);
    if (!Object.hasOwn(aggregates, output.function))
      throw new EngineError("QUERY_PLAN", [`there is no aggregate ${String(output.function)}`]);
    if ((output.of === undefined) !== (output.function === "rows"))
      throw new EngineError("QUERY_PLAN", [
        `${output.function} takes ${output.of ? "no" : "an"} expression`,
      ]);
    if (output.of && (output.function === "min" || output.function === "max"))
      return this.#answerOf(output.of);
    return { type: "number", source: undefined };
  }

  cell(output: Output): BoundCell {
    if (output.kind !== "key")
      throw new EngineError("QUERY_PLAN", ["an ungrouped plan has key outputs only"]);
    const column = this.#textColumn(output.of);
    return column
      ? { kind: "text", column: this.#indexOf(column) }
      : { kind: "number", of: this.#expression(output.of) };
  }

  grouping(outputs: readonly Output[]): BoundGrouping {
    const keys: BoundKey[] = [];
    const states: BoundState[] = [{ function: "rows" }];
    const names = ["rows"];
    const bound = outputs.map((output): BoundOutput => {
      if (output.kind === "key") return { kind: "key", key: keys.push(this.#key(output.of)) - 1 };
      const { of } = output;
      const definition = aggregates[output.function];
      if (!of) return { kind: "aggregate", function: output.function, states: [0] };
      if (definition.numeric && this.#typeOf(of) !== "number")
        throw new EngineError("COLUMN_TYPE", [
          this.#rootOf(of).definition.name,
          this.#typeOf(of),
          "number",
        ]);
      const indices = definition.states.map((name) => {
        if (name === "count" && this.#rootOf(of).nullCount === 0) return 0;
        const key = JSON.stringify([name, of]);
        const known = names.indexOf(key);
        if (known >= 0) return known;
        names.push(key);
        return states.push({ function: name, argument: this.#argument(name, of) }) - 1;
      });
      const text = this.#textColumn(of)?.dictionary;
      const isExtreme = output.function === "min" || output.function === "max";
      return {
        kind: "aggregate",
        function: output.function,
        states: indices,
        ...(text && isExtreme && { codesByRank: text.order().codes }),
      };
    });
    const capacity = keys.reduce(
      (product, key) => product * (key.kind === "value" ? Infinity : key.cardinality),
      1,
    );
    const isDirect =
      capacity <= 4096 || capacity <= Math.min(directGroups, this.#snapshot.rowCount);
    return {
      mode: isDirect ? "direct" : "hash",
      groupCapacity: isDirect ? capacity : 0,
      keys,
      states,
      outputs: bound,
    };
  }

  #key(expression: Expression): BoundKey {
    const text = this.#textColumn(expression);
    if (text) return { kind: "text", column: this.#indexOf(text), cardinality: text.textCount + 1 };
    const of = this.#expression(expression);
    if (of.kind === "period") {
      const count = periodCount(of.floor);
      return count === undefined || count > directGroups
        ? { kind: "value", of }
        : { kind: "period", of: of.of, floor: of.floor, cardinality: count + 1 };
    }
    const { isWhole, minimum, maximum } = this.#rootOf(expression);
    if (!isWhole || !(maximum - minimum < directGroups)) return { kind: "value", of };
    return { kind: "whole", column: of.column, base: minimum, cardinality: maximum - minimum + 2 };
  }

  #argument(name: StateFunction, expression: Expression): BoundArgument {
    const text = this.#textColumn(expression);
    if (!text) return { kind: "number", of: this.#expression(expression) };
    const column = this.#indexOf(text);
    if (name !== "min" && name !== "max")
      return { kind: "code", column, cardinality: text.textCount };
    return { kind: "rank", column, ranks: text.dictionary?.order().ranks ?? new Int32Array(0) };
  }

  #answerOf(expression: Expression): AnswerColumn {
    return { type: this.#typeOf(expression), source: this.#textColumn(expression) };
  }

  #textColumn(expression: Expression): ColumnSnapshot | undefined {
    const column = expression.kind === "column" ? this.#find(expression.name) : undefined;
    return column?.dictionary ? column : undefined;
  }

  #expression(expression: Expression): BoundExpression {
    if (expression.kind === "column")
      return { kind: "column", column: this.#indexOf(this.#find(expression.name)) };
    if (this.#typeOf(expression.of) !== "datetime")
      throw new EngineError("COLUMN_TYPE", [
        this.#rootOf(expression).definition.name,
        this.#typeOf(expression.of),
        "datetime",
      ]);
    if (!knownPeriods.has(expression.period))
      throw new EngineError("QUERY_PLAN", [`there is no period ${String(expression.period)}`]);
    const zone = readZone(expression.timezone);
    const { minimum, maximum } = this.#rootOf(expression);
    const isPlain = expression.of.kind === "column" && minimum === minimum;
    const floor = isPlain
      ? compilePeriodFloor(zone, expression.period, minimum, maximum)
      : { kind: "zone" as const, zone, period: expression.period };
    return { kind: "period", of: this.#expression(expression.of), floor };
  }

  #typeOf(expression: Expression): DataType {
    return expression.kind === "column" ? this.#find(expression.name).definition.type : "datetime";
  }

  #rootOf(expression: Expression): ColumnSnapshot {
    let root = expression;
    while (root.kind === "period") root = root.of;
    if (root.kind !== "column")
      throw new EngineError("QUERY_PLAN", ["an expression is a column or a period"]);
    return this.#find(root.name);
  }

  #find(name: string): ColumnSnapshot {
    const column = this.#snapshot.columns.get(name);
    if (!column) throw new EngineError("COLUMN_UNKNOWN", [this.#snapshot.table, name]);
    return column;
  }

  #indexOf(column: ColumnSnapshot): number {
    const known = this.columns.indexOf(column);
    return known >= 0 ? known : this.columns.push(column) - 1;
  }
}
