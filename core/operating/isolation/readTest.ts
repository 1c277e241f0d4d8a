import {
  type Cell,
  operatorDefinitions,
  operators,
  type Operator,
} from "../../../plugins/protocol/index.ts";
import { isObject, type Members } from "../../base/index.ts";
import type { Test } from "./testQuery.ts";

const longestFirst = operators.toSorted((one, other) => other.length - one.length);

/**
 * Parses a row filter into tests of the reference, without using the host's code. Undefined for filters that the
 * reference does not support: those over several columns, on groups, with relative dates, or without a value.
 */
export function readTest(filter: Members, type: string | undefined): readonly Test[] | undefined {
  const { clause = "where", column_id, expression, value } = filter;
  if (clause !== "where" || typeof column_id !== "string" || typeof expression !== "string")
    return undefined;
  const columnId = column_id.toLowerCase();
  const word = expression.trim().toLowerCase().replaceAll(/\s+/g, " ");
  const between = /^\? ?between ?\?( and \?)?$/.test(word);
  if (between) {
    if (!Array.isArray(value) || value.length !== 2) return undefined;
    const [low, high] = value.map((each) => cellOf(each, type));
    if (low === undefined || high === undefined) return undefined;
    return [
      { columnId, operator: ">=", value: [low] },
      { columnId, operator: "<=", value: [high] },
    ];
  }
  const operator = longestFirst.find((each) => isForm(word, each));
  if (!operator) return undefined;
  const { values } = operatorDefinitions[operator];
  if (values === "none") return [{ columnId, operator }];
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isList = values === "list";
  if (given.length !== 1 && !isList) return undefined;
  const cells: Cell[] = [];
  for (const each of given) {
    const cell = each === null && isList ? null : cellOf(each, type);
    if (cell === undefined) return undefined;
    cells.push(cell);
  }
  return [{ columnId, operator, value: cells }];
}

function isForm(word: string, operator: Operator): boolean {
  const middle =
    operatorDefinitions[operator].values === "none" ? word.slice(1) : word.slice(1, -1);
  return word.startsWith("?") && middle.trim() === operator;
}

function cellOf(value: unknown, type: string | undefined): Cell | undefined {
  if (isObject(value)) return undefined;
  if (typeof value === "number") return value;
  if (typeof value !== "string") return undefined;
  if (type !== "datetime") return value;
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(value) || /^\d{4}-\d\d-\d\d$/.test(value);
  const instant = new Date(hasZone ? value : `${value.replace(" ", "T")}Z`);
  return Number.isNaN(instant.getTime()) ? undefined : instant.toISOString();
}
