import {
  coerce,
  describe,
  refuse,
  unify,
  type Check,
  type Checked,
  type Checking,
} from "./checked.ts";
import type { LanguageAggregate } from "./functions.ts";
import type { PortableAggregate, ValueType } from "./portable.ts";
import { portableAggregates, type AggregateDefinition } from "./portableFunctions.ts";
import { refuseArguments } from "./refuseArguments.ts";
import { partsOf, type CallSyntax, type Syntax } from "./syntax.ts";

const scalarTwins: Readonly<Record<string, string>> = {
  min: "write least(…) for the smaller of several values",
  max: "write greatest(…) for the larger of several values",
};

/** Checks an aggregate of a formula; the same aggregate is computed once. @throws {ExpressionError} */
export function checkAggregate(
  checking: Checking,
  syntax: CallSyntax,
  aggregate: LanguageAggregate,
  check: Check,
): Checked {
  const { name, calls } = aggregate;
  if (checking.place === "row")
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      "a value of each row",
      `the aggregate ${name}`,
      scalarTwins[name] ?? "aggregates belong in formulas",
    );
  if (checking.place === "aggregate")
    throw refuse(
      checking,
      "EXPRESSION_AGGREGATE",
      syntax,
      "a value of each row inside an aggregate",
      `the aggregate ${name}`,
      "aggregates are not nested",
    );
  refuseArguments(checking, syntax, aggregate);
  const definition: AggregateDefinition = portableAggregates[calls];
  const [argument, fraction] = syntax.args;
  const of = argument && checkArgument(checking, argument, aggregate, definition, check);
  const type = (definition.result === "T" ? of?.type : definition.result) as ValueType;
  const found: PortableAggregate = {
    function: calls,
    type,
    ...(of && { of: of.tree }),
    ...(fraction && { fraction: fractionOf(checking, check(checking, fraction)) }),
  };
  const key = JSON.stringify(found);
  checking.aggregates.set(key, found);
  const index = [...checking.aggregates.keys()].indexOf(key);
  return {
    syntax,
    type,
    isDate: definition.result === "T" && of?.isDate === true,
    tree: { kind: "aggregate", type, index },
  };
}

function checkArgument(
  checking: Checking,
  syntax: Syntax,
  { name }: LanguageAggregate,
  { parameter }: AggregateDefinition,
  check: Check,
): Checked {
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
  if (checked.type === "boolean")
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      checked.syntax,
      `${parameter === "number" ? "a number" : "a number, a text or a datetime"} ${role}`,
      "a test",
      `write ${name}(if(test, 1)) for the rows that pass it`,
    );
  if (parameter === "number") return coerce(checking, checked, "number", role);
  return unify(checking, [{ checked, role }]).parts[0] as Checked;
}

function hasReference(syntax: Syntax): boolean {
  return syntax.kind === "reference" || partsOf(syntax).some(hasReference);
}

function fractionOf(checking: Checking, checked: Checked): number {
  const { tree } = checked;
  if (
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
    "a constant from 0 to 1 as fraction of percentile",
    describe(checked),
  );
}
