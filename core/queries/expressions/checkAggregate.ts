import { isDeepStrictEqual } from "node:util";
import { aggregationDefinitions } from "../../../plugins/protocol/index.ts";
import type { FormulaAggregate, LanguageAggregate } from "./aggregates.ts";
import {
  coerce,
  describe,
  refuse,
  valueOf,
  type Check,
  type Checked,
  type Checking,
  type ColumnValue,
} from "./checked.ts";
import { refuseArguments } from "./refuseArguments.ts";
import { partsOf, type CallSyntax, type Syntax } from "./syntax.ts";

const scalarTwins: Readonly<Record<string, string>> = {
  min: "write least(…) to get the smallest of several values",
  max: "write greatest(…) to get the largest of several values",
};

/** Checks an aggregate of a formula. Equal aggregates are computed once. @throws {ExpressionError} */
export function checkAggregate(
  checking: Checking,
  syntax: CallSyntax,
  aggregate: LanguageAggregate,
  check: Check,
): Checked {
  const { name, calls, result } = aggregate;
  if (checking.place === "row")
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      "a value per row",
      `the aggregate ${name}`,
      scalarTwins[name] ?? "aggregates are only allowed in formulas",
    );
  if (checking.place === "aggregate")
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      "a value per row inside an aggregate",
      `the aggregate ${name}`,
      "aggregates cannot be nested",
    );
  refuseArguments(checking, syntax, aggregate);
  const [argument, second] = syntax.args;
  const of = argument && checkArgument(checking, argument, aggregate, check);
  const isOfTwo = aggregationDefinitions[calls].takes === "other";
  const index = indexOf(checking.aggregates, {
    aggregation: calls,
    ...(of && { of: { type: of.type, expression: of.tree } }),
    ...(second && isOfTwo && { other: checkArgument(checking, second, aggregate, check).tree }),
    ...(second && !isOfTwo && { fraction: fractionOf(checking, check(checking, second)) }),
  });
  const isValue = result === "T" && of !== undefined;
  return {
    syntax,
    type: isValue ? of.type : "numeric",
    isDate: isValue && of.isDate,
    tree: { kind: "column", column_id: String(index) },
  };
}

/** Returns the index of an aggregate in the list. Adds the aggregate if the list does not contain it. */
function indexOf(known: FormulaAggregate[], aggregate: FormulaAggregate): number {
  const index = known.findIndex((each) => isDeepStrictEqual(each, aggregate));
  return index < 0 ? known.push(aggregate) - 1 : index;
}

function checkArgument(
  checking: Checking,
  syntax: Syntax,
  { name, parameters }: LanguageAggregate,
  check: Check,
): ColumnValue {
  const checked = check({ ...checking, place: "aggregate" }, syntax);
  if (!hasReference(syntax))
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      `a column {dataset id:column id} inside ${name}`,
      describe(checked),
    );
  const role = `inside ${name}`;
  const isOfNumbers = parameters[0] === "number";
  if (checked.type === "boolean")
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      checked.syntax,
      `${isOfNumbers ? "a number" : "a number, a string or a datetime"} ${role}`,
      "a test",
      `write ${name}(if(test, 1)) to use only the rows that pass the test`,
    );
  if (isOfNumbers) return { ...coerce(checking, checked, "numeric", role), type: "numeric" };
  return valueOf(checking, { checked, role });
}

function hasReference(syntax: Syntax): boolean {
  return syntax.kind === "reference" || partsOf(syntax).some(hasReference);
}

function fractionOf(checking: Checking, checked: Checked): number {
  const { tree } = checked;
  if (
    checking.constants.has(tree) &&
    tree.kind === "literal" &&
    typeof tree.value === "number" &&
    tree.value >= 0 &&
    tree.value <= 1
  )
    return tree.value;
  throw refuse(
    checking,
    "EXPRESSION_VALUE",
    checked.syntax,
    "a constant from 0 to 1 as the fraction of percentile",
    describe(checked),
  );
}
