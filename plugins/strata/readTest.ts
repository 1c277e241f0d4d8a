import type * as engine from "../../engine/index.ts";
import {
  isDeeperThan,
  millisecondsOf,
  isOperator,
  PluginError,
  positiveOf,
  type Cell,
  type Operator,
  type PositiveOperator,
  type Tree,
} from "../protocol/index.ts";

/** The name of each positive operator in the engine. */
const forms = {
  "=": "=",
  "<": "<",
  "<=": "<=",
  ">": ">",
  ">=": ">=",
  in: "in",
  like: "contains",
  "starts with": "startsWith",
  "ends with": "endsWith",
  "is null": "isNull",
} as const satisfies Readonly<Record<PositiveOperator, string>>;

/** The left side of a test: its type, and its name in messages. */
export interface Subject {
  readonly label: string;
  readonly type: engine.DataType;
}

/** Maximum nesting depth of groups in a filter. */
const deepest = 400;

/**
 * Checks the nesting depth of a filter.
 * @throws {PluginError} PLUGIN_INVALID if the filter is nested deeper than the engine may recurse
 */
export function checkDepth<Leaf extends object>(filter: Tree<Leaf>): void {
  if (isDeeperThan(filter, deepest))
    throw new PluginError("PLUGIN_INVALID", [
      `filters must not be nested deeper than ${deepest} levels`,
    ]);
}

/** A test of the engine, without its left side. */
type Test =
  | {
      readonly kind: "compare";
      readonly operator: engine.ComparisonOperator;
      readonly value: number | string;
    }
  | { readonly kind: "in"; readonly values: readonly engine.Scalar[] }
  | {
      readonly kind: "match";
      readonly match: "contains" | "startsWith" | "endsWith";
      readonly text: string;
    }
  | { readonly kind: "isNull" };

export function negate(negated: boolean, predicate: engine.Predicate): engine.Predicate {
  return negated ? { kind: "not", of: predicate } : predicate;
}

export function readTest(
  operator: Operator,
  cells: readonly Cell[] = [],
  subject: Subject,
): { readonly negated: boolean; readonly leaf: Test } {
  if (!isOperator(operator))
    throw new PluginError("PLUGIN_INVALID", [`the operator ${String(operator)} is unknown`]);
  const positive = positiveOf(operator);
  const negated = positive !== operator;
  const form = forms[positive];
  if (form === "isNull") return { negated, leaf: { kind: "isNull" } };
  if (form === "in")
    return {
      negated,
      leaf: {
        kind: "in",
        values: cells.map((cell) => (cell === null ? null : readCell(cell, subject))),
      },
    };
  const [cell] = cells;
  if (cells.length !== 1 || cell === undefined)
    throw new PluginError("PLUGIN_INVALID", [
      `${operator} on ${subject.label} needs exactly one value, not ${cells.length}`,
    ]);
  if (cell === null) {
    if (form === "=") return { negated, leaf: { kind: "isNull" } };
    throw new PluginError("PLUGIN_INVALID", [
      `${operator} on ${subject.label} cannot compare with null; use is null`,
    ]);
  }
  if (form === "contains" || form === "startsWith" || form === "endsWith") {
    if (subject.type !== "text")
      throw new PluginError("PLUGIN_INVALID", [`${subject.label} must be text for ${operator}`]);
    return { negated, leaf: { kind: "match", match: form, text: String(readCell(cell, subject)) } };
  }
  return { negated, leaf: { kind: "compare", operator: form, value: readCell(cell, subject) } };
}

/** Converts a value to the type of its column. A datetime without an offset is UTC. */
function readCell(cell: string | number, { label, type }: Subject): number | string {
  if (type === "text") {
    if (typeof cell === "string") return cell;
    throw new PluginError("PLUGIN_INVALID", [
      `${label} must be compared with a string, not a number`,
    ]);
  }
  if (type === "number") {
    if (typeof cell === "number" && Number.isFinite(cell)) return cell;
    throw new PluginError("PLUGIN_INVALID", [
      `${label} must be compared with a finite number, not ${typeof cell === "number" ? "an infinite one" : "a string"}`,
    ]);
  }
  const instant = typeof cell === "string" ? millisecondsOf(cell) : undefined;
  if (instant !== undefined) return instant;
  throw new PluginError("PLUGIN_INVALID", [
    `${label} must be compared with an ISO 8601 instant, not ${typeof cell === "string" ? "another string" : "a number"}`,
  ]);
}
