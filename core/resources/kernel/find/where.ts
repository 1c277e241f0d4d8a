import type { Knex } from "knex";
import { isObject, kindOf } from "../../../base/index.ts";
import { spend } from "./spend.ts";
import { comparisons } from "./comparisons.ts";
import { operandOf, type Operand } from "./operand.ts";
import { invalidMember, unknownMember, type Scope } from "./scope.ts";

const squash = (name: string) => name.replace(/^\$/, "").replaceAll(/[\s_]/g, "").toLowerCase();
const byName = new Map([...comparisons].map(([name, compile]) => [squash(name), compile]));
const operatorNames = [...comparisons.keys(), "not"];

function joinAll(knex: Knex, parts: readonly Knex.Raw[], word: "and" | "or"): Knex.Raw {
  if (parts.length === 0) return knex.raw(word === "and" ? "true" : "false");
  return knex.raw(`(${parts.map(() => "?").join(` ${word} `)})`, [...parts]);
}

/** Compiles a test. It is null, a scalar, a list of alternatives, or an object whose comparisons must all be true. */
function compileTest(scope: Scope, operand: Operand, value: unknown, path: string): Knex.Raw {
  const { knex } = scope;
  const run = (operator: string, given: unknown, at: string) => {
    const compile = byName.get(squash(operator));
    if (!compile) throw unknownMember(at, operatorNames);
    return compile(knex, operand, given, at);
  };
  if (Array.isArray(value)) return run("in", value, path);
  if (!isObject(value)) return run("eq", value, path);
  const tests = Object.entries(value).map(([operator, given]) => {
    const at = `${path}.${operator}`;
    spend(scope, "conditions", at);
    if (squash(operator) !== "not") return run(operator, given, at);
    return knex.raw("not coalesce((?), false)", [compileTest(scope, operand, given, at)]);
  });
  if (tests.length === 0)
    throw invalidMember(path, `must have an operator: ${operatorNames.join(", ")}`);
  return joinAll(knex, tests, "and");
}

/** Replaces `"me"` with the caller's id in comparisons with an id. */
function replaceMe(scope: Scope, value: unknown): unknown {
  const { me } = scope.declaration;
  if (!me) return value;
  if (Array.isArray(value))
    return value.map((entry) => (entry === "me" ? me(scope.principal) : entry));
  return value === "me" ? me(scope.principal) : value;
}

/**
 * Compiles a `where`: members that must all match, and `and`, `or`, `not` groups of such objects.
 * @throws {ApiError} MEMBER_UNKNOWN, MEMBER_INVALID with the path of the member
 */
export function compileWhere(scope: Scope, where: unknown, path = `${scope.path}.where`): Knex.Raw {
  const { knex } = scope;
  // Lists and objects without conditions also use up the budget.
  if (Array.isArray(where) || (isObject(where) && Object.keys(where).length === 0))
    spend(scope, "conditions", path);
  if (Array.isArray(where))
    return joinAll(
      knex,
      where.map((each, index) => compileWhere(scope, each, `${path}[${index}]`)),
      "and",
    );
  if (!isObject(where)) throw invalidMember(path, `must be an object, not ${kindOf(where)}`);
  const parts = Object.entries(where).map(([member, value]) => {
    const at = `${path}.${member}`;
    const group = /^\$?(and|or|not)$/.exec(member)?.[1];
    if (group === "not")
      return knex.raw("not coalesce((?), false)", [compileWhere(scope, value, at)]);
    if (group === "or" || group === "and") {
      const listed = Array.isArray(value)
        ? value.map((each, index) => compileWhere(scope, each, `${at}[${index}]`))
        : isObject(value)
          ? Object.entries(value).map(([name, each]) => compileWhere(scope, { [name]: each }, at))
          : undefined;
      if (!listed) throw invalidMember(at, `must be a list of objects, not ${kindOf(value)}`);
      return joinAll(knex, listed, group);
    }
    const operand = operandOf(scope, member, at);
    return compileTest(scope, operand, member === "id" ? replaceMe(scope, value) : value, at);
  });
  return joinAll(knex, parts, "and");
}
