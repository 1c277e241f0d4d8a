import {
  call,
  describe,
  nounOf,
  refuse,
  unify,
  type Check,
  type Checked,
  type Checking,
} from "./checked.ts";
import type { PortableExpression, ValueType } from "./portable.ts";
import type { FunctionName } from "./portableFunctions.ts";
import type { CastSyntax } from "./syntax.ts";

/** What a type is cast by; "same" when nothing is to be done. */
const casts: Readonly<
  Record<CastSyntax["type"], Readonly<Partial<Record<ValueType, FunctionName | "same">>>>
> = {
  number: { number: "same", text: "toNumber", boolean: "case" },
  text: { text: "same", number: "numberText", datetime: "datetimeText", boolean: "case" },
  datetime: { datetime: "same", text: "toDatetime" },
  date: { datetime: "dateOf", text: "toDate" },
};

/** Checks `cast(x as type)`. @throws {ExpressionError} EXPRESSION_TYPE for types that are not cast into each other */
export function checkCast(checking: Checking, syntax: CastSyntax, check: Check): Checked {
  const of = check(checking, syntax.of);
  const type = syntax.type === "date" ? "datetime" : syntax.type;
  const isDate = syntax.type === "date";
  if (of.type === "null")
    return { syntax, type, isDate, tree: { kind: "literal", type, value: null } };
  const by = casts[syntax.type][of.type];
  if (!by)
    throw refuse(
      checking,
      "EXPRESSION_TYPE",
      of.syntax,
      `${Object.keys(casts[syntax.type])
        .map((each) => nounOf(each as ValueType))
        .join(" or ")} to cast to ${syntax.type}`,
      describe(of),
      of.type === "number"
        ? "write from_epoch_ms(number)"
        : of.type === "datetime"
          ? "write epoch_ms(datetime), or year(datetime) and its like"
          : undefined,
    );
  if (by === "same" || (isDate && of.isDate)) return { ...of, syntax };
  if (by === "case") return { ...booleanAs(type, of.tree), syntax };
  if (by === "datetimeText" && of.isDate)
    return { syntax, type, isDate, tree: writtenDate(of.tree) };
  const zone = by === "dateOf" ? [text(checking.timezone)] : [];
  return { syntax, type, isDate, tree: call(by, type, [of.tree, ...zone]) };
}

const text = (value: string): PortableExpression => ({ kind: "literal", type: "text", value });

/** A calendar date as text. */
const writtenDate = (tree: PortableExpression): PortableExpression =>
  call("formatDate", "text", [tree, text("yyyy-MM-dd"), text("UTC")]);

/** A test as 1 and 0, or as `true` and `false`. */
function booleanAs(type: ValueType, test: PortableExpression): Omit<Checked, "syntax"> {
  const [yes, no] = type === "number" ? [1, 0] : ["true", "false"];
  const args = [
    test,
    { kind: "literal", type, value: yes } as const,
    { kind: "literal", type, value: no } as const,
  ];
  return { type, isDate: false, tree: call("case", type, args as PortableExpression[]) };
}

/** Gives a column or formula a type that columns have: a test becomes the text `true` or `false`. */
export function asColumnValue(checking: Checking, checked: Checked): Checked {
  if (checked.type === "boolean")
    return { ...booleanAs("text", checked.tree), syntax: checked.syntax };
  return unify(checking, [{ checked, role: "as the value" }]).parts[0] as Checked;
}
