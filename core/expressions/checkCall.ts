import { checkAggregate } from "./checkAggregate.ts";
import { choose } from "./checkCase.ts";
import {
  call,
  coerce,
  describe,
  refuse,
  unify,
  type Check,
  type Checked,
  type Checking,
} from "./checked.ts";
import { isDatePattern } from "./datetimeMeanings.ts";
import { findAggregate, findFunction, suggest, type LanguageFunction } from "./functions.ts";
import type { PortableExpression, Value } from "./portable.ts";
import {
  periods,
  portableFunctions,
  type FunctionDefinition,
  type Parameter,
  type Period,
} from "./portableFunctions.ts";
import { refuseArguments } from "./refuseArguments.ts";
import type { CallSyntax } from "./syntax.ts";
import { quoteSource } from "./tokenize.ts";

interface Argument {
  readonly checked: Checked;
  readonly parameter: Parameter;
  readonly role: string;
}

/** Checks a call of a function or an aggregate. @throws {ExpressionError} */
export function checkCall(checking: Checking, syntax: CallSyntax, check: Check): Checked {
  const { name } = syntax;
  const called = findFunction(name);
  if (called) return checkFunction(checking, syntax, called, check);
  const aggregate = findAggregate(name, syntax.args.length > 0);
  if (aggregate) return checkAggregate(checking, syntax, aggregate, check);
  throw refuse(
    checking,
    "EXPRESSION_FUNCTION_UNKNOWN",
    syntax,
    "the name of a function",
    quoteSource(name),
    suggest(name),
  );
}

function checkFunction(
  checking: Checking,
  syntax: CallSyntax,
  called: LanguageFunction,
  check: Check,
): Checked {
  refuseArguments(checking, syntax, called);
  const given = syntax.args.map((each) => check(checking, each));
  if (called.calls === "case") return checkIf(checking, syntax, given);
  const definition: FunctionDefinition = portableFunctions[called.calls];
  const own = definition.parameters
    .slice(called.first === undefined ? 0 : 1)
    .filter((parameter) => parameter !== "zone");
  const { repeated = [] } = definition;
  const args = given.map((checked, index): Argument => {
    const parameter = own[index] ?? repeated[(index - own.length) % repeated.length] ?? "T";
    const named = called.parameters[Math.min(index, called.parameters.length - 1)] ?? "";
    return { checked, parameter, role: `as ${named.replace(/[?…]$/, "")} of ${called.name}` };
  });
  const bound = bind(checking, args);
  const missing = Math.max(0, own.length - given.length);
  const defaults = missing > 0 ? (called.defaults ?? []).slice(-missing) : [];
  const type = definition.result === "T" ? bound.type : definition.result;
  const clock = onClock(checking, called, bound.parts, args);
  const trees = clock.parts.map(({ tree }) => (called.skipsNulls ? withoutNull(tree) : tree));
  const tree = call(called.calls, type, [
    ...(called.first === undefined ? [] : [literal(called.first)]),
    ...trees,
    ...defaults.map(literal),
    ...(definition.parameters.includes("zone") ? [literal(clock.zone)] : []),
  ]);
  return {
    syntax,
    type,
    tree,
    isDate: type === "datetime" && isDateOf(called, bound.isDate, clock.isDate),
  };
}

const literal = (value: Value): PortableExpression => ({
  kind: "literal",
  type: typeof value === "number" ? "number" : "text",
  value,
});

/** A text that is empty where another is null. */
function withoutNull(tree: PortableExpression): PortableExpression {
  if (tree.kind === "literal") return literal(tree.value ?? "");
  return call("coalesce", "text", [tree, literal("")]);
}

function checkIf(checking: Checking, syntax: CallSyntax, given: readonly Checked[]): Checked {
  const [test, then, otherwise] = given as [Checked, Checked, Checked?];
  const tests = [coerce(checking, test, "boolean", "as test of if").tree];
  return choose(checking, syntax, { tests, thens: [then], otherwise });
}

/** Holds each argument against its parameter; those of type `T` are brought to one type. */
function bind(checking: Checking, args: readonly Argument[]): ReturnType<typeof unify> {
  const same = args.filter(({ parameter }) => parameter === "T");
  const none = { type: "text", isDate: false, parts: [] } as const;
  const unified = same.length > 0 ? unify(checking, same) : none;
  const ofSame = unified.parts.values();
  const parts = args.map(({ checked, parameter, role }) => {
    if (parameter === "T") return ofSame.next().value as Checked;
    if (parameter === "period" || parameter === "pattern")
      return checkWord(checking, checked, parameter, role);
    return coerce(checking, checked, parameter as "number" | "text" | "datetime", role);
  });
  return { ...unified, parts };
}

/** Holds a constant text against the words that may stand there; periods may be in any case. */
function checkWord(
  checking: Checking,
  checked: Checked,
  parameter: "period" | "pattern",
  role: string,
): Checked {
  const { syntax } = checked;
  const written = syntax.kind === "text" ? syntax.value : undefined;
  const word = parameter === "period" ? written?.trim().toLowerCase() : written;
  const isKnown =
    word !== undefined &&
    (parameter === "period" ? periods.includes(word as Period) : isDatePattern(word));
  if (isKnown) return { ...checked, tree: literal(word) };
  throw refuse(
    checking,
    "EXPRESSION_VALUE",
    syntax,
    parameter === "period"
      ? `one of the texts ${periods.map((each) => `'${each}'`).join(", ")} ${role}`
      : `a text of yyyy, MM, dd, HH, mm, ss, SSS and characters that are no letters ${role}`,
    describe(checked),
  );
}

interface Clock {
  readonly zone: string;
  readonly parts: readonly Checked[];
  /** All datetimes among the arguments are calendar dates. */
  readonly isDate: boolean;
}

/** Chooses the clock: calendar dates are never shifted, and an instant that is counted in days against one becomes a date. */
function onClock(
  { timezone }: Checking,
  called: LanguageFunction,
  parts: readonly Checked[],
  args: readonly Argument[],
): Clock {
  const isDatetime = (index: number) => args[index]?.parameter === "datetime";
  const isNull = ({ tree }: Checked) => tree.kind === "literal" && tree.value === null;
  const moments = parts.filter((each, index) => isDatetime(index) && !isNull(each));
  const dates = moments.filter(({ isDate }) => isDate).length;
  const isDate = dates > 0 && dates === moments.length;
  if (isDate) return { zone: "UTC", parts, isDate };
  const [period] = parts;
  const isCalendar =
    period?.tree.kind === "literal" &&
    periods.indexOf(period.tree.value as Period) <= periods.indexOf("day");
  if (dates === 0 || called.calls !== "dateDiff" || !isCalendar)
    return { zone: timezone, parts, isDate };
  const dated = parts.map((each, index) =>
    isDatetime(index) && !each.isDate
      ? { ...each, tree: call("dateOf", "datetime", [each.tree, literal(timezone)]) }
      : each,
  );
  return { zone: "UTC", parts: dated, isDate };
}

function isDateOf(called: LanguageFunction, ofSame: boolean, ofDatetimes: boolean): boolean {
  switch (called.calls) {
    case "makeDate":
    case "dateOf":
    case "today":
      return true;
    case "dateTrunc":
    case "dateAdd":
      return ofDatetimes;
    default:
      return ofSame;
  }
}
