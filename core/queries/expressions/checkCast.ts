import type {
  DataType,
  Expression,
  ExpressionType,
  FunctionName,
} from "../../../plugins/protocol/index.ts";
import {
  call,
  constant,
  describe,
  nounOf,
  refuse,
  valueOf,
  type Check,
  type Checked,
  type Checking,
  type ColumnValue,
} from "./checked.ts";
import type { CastSyntax } from "./syntax.ts";

/** The function that casts each type to another; "same" if the value stays unchanged. */
const casts: Readonly<
  Record<CastSyntax["type"], Readonly<Partial<Record<ExpressionType, FunctionName | "same">>>>
> = {
  number: { numeric: "same", hierarchy: "toNumber", boolean: "case" },
  text: { hierarchy: "same", numeric: "numberText", datetime: "datetimeText", boolean: "case" },
  datetime: { datetime: "same", hierarchy: "toDatetime" },
  date: { datetime: "dateOf", hierarchy: "toDate" },
};

/** The protocol's types for the types of casts. */
const castTypes: Readonly<Record<CastSyntax["type"], DataType>> = {
  number: "numeric",
  text: "hierarchy",
  datetime: "datetime",
  date: "datetime",
};

/**
 * Checks `cast(x as type)`. @throws {ExpressionError} EXPRESSION_TYPE if the type of x cannot be cast to the given type
 */
export function checkCast(checking: Checking, syntax: CastSyntax, check: Check): Checked {
  const of = check(checking, syntax.of);
  const type = castTypes[syntax.type];
  const isDate = syntax.type === "date";
  if (of.type === "null") return { syntax, type, isDate, tree: constant(checking, type, null) };
  const by = casts[syntax.type][of.type];
  if (!by)
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      of.syntax,
      `${Object.keys(casts[syntax.type])
        .map((each) => nounOf(each as ExpressionType))
        .join(" or ")} to cast to ${syntax.type}`,
      describe(of),
      of.type === "numeric"
        ? "write from_epoch_ms(number)"
        : of.type === "datetime"
          ? "write epoch_ms(datetime), or a function such as year(datetime)"
          : undefined,
    );
  if (by === "same" || (isDate && of.isDate)) return { ...of, syntax };
  if (by === "case") return { ...booleanAs(checking, type, of.tree), syntax };
  if (by === "datetimeText" && of.isDate)
    return { syntax, type, isDate, tree: writtenDate(checking, of.tree) };
  const zone = by === "dateOf" ? [constant(checking, "hierarchy", checking.timezone)] : [];
  return { syntax, type, isDate, tree: call(checking, by, type, [of.tree, ...zone]) };
}

/** Formats a calendar date as a string. */
function writtenDate(checking: Checking, tree: Expression): Expression {
  const text = (value: string) => constant(checking, "hierarchy", value);
  return call(checking, "formatDate", "hierarchy", [tree, text("yyyy-MM-dd"), text("UTC")]);
}

/** Converts a test to 1 and 0, or to `true` and `false`. */
function booleanAs(checking: Checking, type: DataType, test: Expression): ColumnValue {
  const [yes, no] = type === "numeric" ? [1, 0] : ["true", "false"];
  const args = [test, constant(checking, type, yes), constant(checking, type, no)];
  return { type, isDate: false, tree: call(checking, "case", type, args) };
}

/** Converts a column or formula to a type that columns can have: a test becomes the string `true` or `false`. */
export function asColumnValue(checking: Checking, checked: Checked): ColumnValue {
  if (checked.type === "boolean") return booleanAs(checking, "hierarchy", checked.tree);
  return valueOf(checking, { checked, role: "as the value" });
}
