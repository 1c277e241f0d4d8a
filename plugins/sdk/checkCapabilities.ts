import {
  aggregations,
  Capabilities,
  dataTypes,
  ExpressionCapabilities,
  FilterCapabilities,
  functions,
  GroupingCapabilities,
  levels,
  operators,
} from "../protocol/index.ts";
import { checkMembers, checkNames, type Members } from "./checkMembers.ts";

const root = "capabilities";
const flagsOf = (names: readonly string[], others: readonly string[]) =>
  names.filter((name) => !others.includes(name));
const capabilityNames = Object.keys(Capabilities.properties);
const filterNames = Object.keys(FilterCapabilities.properties);
const groupingNames = Object.keys(GroupingCapabilities.properties);

/**
 * Refuses capabilities whose members or names this version does not know, and members whose values have the wrong kind.
 * A host ignores members that it does not know, so a misspelt capability would never be used.
 * @throws {TypeError} that names the member and the nearest known name
 */
export function checkCapabilities(given: unknown): void {
  checkMembers<"filters" | "grouping" | "expressions">(given, capabilityNames, {
    what: "a capability",
    where: root,
  });
  checkFlags(given, flagsOf(capabilityNames, ["filters", "grouping", "expressions"]), root);
  const { filters, grouping, expressions } = given;
  if (filters !== undefined) checkFilters(filters);
  if (grouping !== undefined) checkGrouping(grouping);
  if (expressions !== undefined) {
    const where = `${root}.expressions`;
    const known = Object.keys(ExpressionCapabilities.properties);
    checkMembers<"functions">(expressions, known, { what: "a member of expressions", where });
    checkList(expressions.functions, functions, {
      what: "a function",
      where: `${where}.functions`,
    });
  }
}

function checkFilters(filters: unknown): void {
  const where = `${root}.filters`;
  checkMembers<"operators" | "superset" | "listLength">(filters, filterNames, {
    what: "a member of filters",
    where,
  });
  checkFlags(filters, flagsOf(filterNames, ["operators", "superset", "listLength"]), where);
  checkOperators(filters.operators, `${where}.operators`);
  if (filters.superset !== undefined) checkOperators(filters.superset, `${where}.superset`);
  const { listLength } = filters;
  if (listLength !== undefined && !(Number.isInteger(listLength) && Number(listLength) > 0))
    throw new TypeError(
      `${where}.listLength must be a whole number above 0, not ${JSON.stringify(listLength)}`,
    );
}

function checkOperators(given: unknown, where: string): void {
  checkMembers(given, operators, { what: "an operator", where });
  for (const [operator, types] of Object.entries(given))
    if (types !== undefined)
      checkList(types, dataTypes, {
        what: "a type of columns",
        where: `${where}[${JSON.stringify(operator)}]`,
      });
}

function checkGrouping(grouping: unknown): void {
  const where = `${root}.grouping`;
  checkMembers<"aggregations" | "levels">(grouping, groupingNames, {
    what: "a member of grouping",
    where,
  });
  checkFlags(grouping, flagsOf(groupingNames, ["aggregations", "levels"]), where);
  checkList(grouping.aggregations, aggregations, {
    what: "an aggregation",
    where: `${where}.aggregations`,
  });
  checkList(grouping.levels, levels, { what: "a level", where: `${where}.levels` });
}

function checkFlags(members: Members, names: readonly string[], where: string): void {
  for (const name of names) {
    const value = members[name];
    if (value !== undefined && typeof value !== "boolean")
      throw new TypeError(`${where}.${name} must be true or false, not ${JSON.stringify(value)}`);
  }
}

function checkList(
  value: unknown,
  known: readonly string[],
  place: { readonly what: string; readonly where: string },
): void {
  if (!Array.isArray(value)) throw new TypeError(`${place.where} must be an array`);
  checkNames(value, known, place);
}
