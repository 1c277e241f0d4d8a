import { PluginError, type Statement, type StatementParameter } from "../protocol/index.ts";
import { checkStatement, type StatementRules } from "./checkStatement.ts";
import { cell, type Fragment, join, trusted } from "./fragment.ts";
import { parseStatement } from "./parseStatement.ts";

const longestList = 1000;

/**
 * Converts a person's statement to a fragment whose parameters are bound values. A list becomes comma-separated values,
 * for `in ({{name}})`; an empty list becomes null, which equals nothing. Callers must put the fragment in parentheses.
 * @throws {PluginError} PLUGIN_INVALID for the reasons of `parseStatement` and `checkStatement`, and for a parameter
 * that is not declared
 */
export function statementFragment(
  { text, parameters }: Statement,
  rules?: StatementRules,
): Fragment {
  const parsed = parseStatement(text);
  if (rules) checkStatement(parsed, rules);
  const fragments = parsed.map((part) => {
    if (typeof part === "string") return trusted(part);
    const { parameter: name } = part;
    const value = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (value) return boundFragment(name, value);
    throw new PluginError("PLUGIN_INVALID", [
      `the statement uses the parameter ${JSON.stringify(name)}, which is not declared; add it to parameters`,
    ]);
  });
  return { parts: fragments.flatMap(({ parts }) => parts) };
}

function boundFragment(name: string, { type, value: values }: StatementParameter): Fragment {
  if (values === null || typeof values !== "object") return { parts: [cell(type, values)] };
  if (values.length > longestList)
    throw new PluginError("PLUGIN_INVALID", [
      `the parameter ${JSON.stringify(name)} must have at most ${longestList} values, not ${values.length}`,
    ]);
  if (values.length === 0) return { parts: [cell(type, null)] };
  return join(
    values.map((each) => ({ parts: [cell(type, each)] })),
    ", ",
  );
}
