import { ApiError } from "../errors.ts";
import type { Cell, DataType, Operator } from "../../plugins/protocol/index.ts";
import type { BoundReference } from "./bindReference.ts";
import { parseInstant } from "./parseInstant.ts";
import type { Condition, Reference, Test } from "./question.ts";

type Tree<Leaf> =
  | Leaf
  | { readonly and: readonly Tree<Leaf>[] }
  | { readonly or: readonly Tree<Leaf>[] };

const everyType: readonly DataType[] = ["numeric", "datetime", "hierarchy"];
const comparable: readonly DataType[] = ["numeric", "datetime"];
const text: readonly DataType[] = ["hierarchy"];

/** The column types that a test is offered for. */
const typesOf: Readonly<Record<Operator | "between", readonly DataType[]>> = {
  "=": everyType,
  "!=": everyType,
  in: everyType,
  "not in": everyType,
  "is null": everyType,
  "is not null": everyType,
  "<": comparable,
  "<=": comparable,
  ">": comparable,
  ">=": comparable,
  between: comparable,
  like: text,
  "not like": text,
  "starts with": text,
  "not starts with": text,
  "ends with": text,
  "not ends with": text,
};

/**
 * Binds tests to columns and their values to the types of these. The answer is ANDed; groups that
 * only AND are taken apart, `between` becomes its two bounds, both included.
 * @throws {ApiError} MEMBER_INVALID when an operator or a value does not suit the column's type
 */
export function bindConditions<Leaf>(
  conditions: readonly Condition[],
  bind: (reference: Reference) => BoundReference,
  leaf: (reference: BoundReference, operator: Operator, value: readonly Cell[] | undefined) => Leaf,
): readonly Tree<Leaf>[] {
  const anded = (condition: Condition): readonly Tree<Leaf>[] => {
    if ("and" in condition) return condition.and.flatMap(anded);
    if ("or" in condition) {
      const members = condition.or.map(anded);
      if (members.some((member) => member.length === 0)) return [];
      const or = members.map(oneOf);
      return or.length === 1 ? or : [{ or }];
    }
    const reference = bind(condition.reference);
    const value = bindValue(condition, reference.type);
    if (condition.operator !== "between") return [leaf(reference, condition.operator, value)];
    const [low, high] = value ?? [];
    return [leaf(reference, ">=", [low ?? null]), leaf(reference, "<=", [high ?? null])];
  };
  return conditions.flatMap(anded);
}

function oneOf<Leaf>(members: readonly Tree<Leaf>[]): Tree<Leaf> {
  const [first] = members;
  return members.length === 1 && first !== undefined ? first : { and: members };
}

function bindValue(test: Test, type: DataType): readonly Cell[] | undefined {
  const types = typesOf[test.operator];
  if (!types.includes(type))
    throw new ApiError("MEMBER_INVALID", [
      `${test.path}.expression`,
      `? ${test.operator} ? is for ${types.join(" and ")} columns, ${test.reference.columnId} is ${type}`,
    ]);
  return test.value?.map((cell) =>
    cell === null ? null : bindCell(cell, type, `${test.path}.parameters[1]`),
  );
}

function bindCell(cell: string | number, type: DataType, path: string): Cell {
  if (type === "numeric" && typeof cell === "number") return cell;
  if (type === "hierarchy" && typeof cell === "string") return cell;
  if (type === "datetime" && typeof cell === "string") {
    const instant = parseInstant(cell);
    if (!Number.isNaN(instant)) return new Date(instant).toISOString();
    throw new ApiError("MEMBER_INVALID", [
      path,
      "it must be an ISO date or date-time such as 2024-01-31T00:00:00.000Z",
    ]);
  }
  const wanted = { numeric: "a number", hierarchy: "a text", datetime: "an ISO date-time" }[type];
  throw new ApiError("MEMBER_INVALID", [
    path,
    `the column is ${type} and takes ${wanted}, not a ${typeof cell}`,
  ]);
}
