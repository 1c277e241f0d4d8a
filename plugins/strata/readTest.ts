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

/** The engine's form of a positive operator. */
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

/** The subject of a test: its name in messages, and the type of the values that it is compared with. */
export interface Subject {
  readonly label: string;
  readonly type: engine.DataType;
}

/** Levels of groups in a filter. */
const deepest = 400;

/** @throws {PluginError} PLUGIN_INVALID when a filter nests deeper than the engine may recurse */
export function checkDepth<Leaf extends object>(filter: Tree<Leaf>): void {
  if (isDeeperThan(filter, deepest))
    throw new PluginError("PLUGIN_INVALID", [`filters nest deeper than ${deepest} levels`]);
}

/** The engine's leaves without what they test. */
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
    throw new PluginError("PLUGIN_INVALID", [`there is no operator ${String(operator)}`]);
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
      `${operator} on ${subject.label} takes one value, not ${cells.length}`,
    ]);
  if (cell === null) {
    if (form === "=") return { negated, leaf: { kind: "isNull" } };
    throw new PluginError("PLUGIN_INVALID", [
      `${operator} on ${subject.label} takes no null; use is null`,
    ]);
  }
  if (form === "contains" || form === "startsWith" || form === "endsWith") {
    if (subject.type !== "text")
      throw new PluginError("PLUGIN_INVALID", [
        `${operator} needs a text, and ${subject.label} is not one`,
      ]);
    return { negated, leaf: { kind: "match", match: form, text: String(readCell(cell, subject)) } };
  }
  return { negated, leaf: { kind: "compare", operator: form, value: readCell(cell, subject) } };
}

/** Reads a value as what its column holds. A datetime without an offset is UTC. */
function readCell(cell: string | number, { label, type }: Subject): number | string {
  if (type === "text") {
    if (typeof cell === "string") return cell;
    throw new PluginError("PLUGIN_INVALID", [`${label} holds texts and is tested with a number`]);
  }
  if (type === "number") {
    if (typeof cell === "number" && Number.isFinite(cell)) return cell;
    throw new PluginError("PLUGIN_INVALID", [
      `${label} holds numbers and is tested with ${typeof cell === "number" ? "one that is not finite" : "a text"}`,
    ]);
  }
  const instant = typeof cell === "string" ? millisecondsOf(cell) : undefined;
  if (instant !== undefined) return instant;
  throw new PluginError("PLUGIN_INVALID", [
    `${label} holds datetimes and is tested with ${typeof cell === "string" ? "a text that is no ISO 8601 instant" : "a number"}`,
  ]);
}
