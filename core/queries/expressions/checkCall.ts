import {
  decimalMarks,
  functionDefinitions,
  isCalendarFormat,
  levels,
  splitDateFormat,
  thousandsMarks,
  type DataType,
  type Expression,
  type FunctionDefinition,
  type FunctionName,
  type Parameter,
} from "../../../plugins/protocol/index.ts";
import { findAggregate } from "./aggregates.ts";
import { checkAggregate } from "./checkAggregate.ts";
import { choose } from "./checkCase.ts";
import {
  call,
  coerce,
  constant,
  describe,
  isConstantNull,
  literalOf,
  refuse,
  unify,
  type Check,
  type Checked,
  type Checking,
} from "./checked.ts";
import { applyFunction, isDatePattern } from "../../../plugins/meanings/index.ts";
import { findFunction, suggest, type ClockFunction, type LanguageFunction } from "./functions.ts";
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
  const { calls } = called;
  if (calls === "now" || calls === "today") return readClock(checking, syntax, calls);
  if (calls === "case") return checkIf(checking, syntax, given);
  const definition: FunctionDefinition = functionDefinitions[calls];
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
  if (calls === "parseNumber") refuseEqualMarks(checking, args);
  const missing = Math.max(0, own.length - given.length);
  const defaults = missing > 0 ? (called.defaults ?? []).slice(-missing) : [];
  const type = definition.result === "T" ? bound.type : definition.result;
  const zoned = onClock(checking, calls, bound.parts, args);
  const trees = zoned.parts.map(({ tree }) =>
    called.skipsNulls ? withoutNull(checking, tree) : tree,
  );
  const word = (value: string | number) =>
    constant(checking, typeof value === "number" ? "numeric" : "hierarchy", value);
  const tree = call(checking, calls, type, [
    ...(called.first === undefined ? [] : [word(called.first)]),
    ...trees,
    ...defaults.map(word),
    ...(definition.parameters.includes("zone") ? [word(zoned.zone)] : []),
  ]);
  return {
    syntax,
    type,
    tree,
    isDate: type === "datetime" && isDateOf(calls, args, bound.isDate, zoned.isDate),
  };
}

/**
 * Returns the instant or the date of the request. The value is not a constant, because each request has another
 * instant.
 */
function readClock(checking: Checking, syntax: CallSyntax, name: ClockFunction): Checked {
  const { clock, timezone } = checking;
  clock.isRead = true;
  const isDate = name === "today";
  const value = isDate ? applyFunction("dateOf", [clock.nowMs, timezone]) : clock.nowMs;
  return { syntax, type: "datetime", isDate, tree: literalOf("datetime", value) };
}

/** Wraps a string expression so that null becomes the empty string. */
function withoutNull(checking: Checking, tree: Expression): Expression {
  const empty = constant(checking, "hierarchy", "");
  if (isConstantNull(checking, tree)) return empty;
  return checking.constants.has(tree)
    ? tree
    : call(checking, "coalesce", "hierarchy", [tree, empty]);
}

function checkIf(checking: Checking, syntax: CallSyntax, given: readonly Checked[]): Checked {
  const [test, then, otherwise] = given as [Checked, Checked, Checked?];
  const tests = [coerce(checking, test, "boolean", "as test of if").tree];
  return choose(checking, syntax, { tests, thens: [then], otherwise });
}

/** Checks each argument against its parameter. Arguments of type `T` are converted to one common type. */
function bind(checking: Checking, args: readonly Argument[]): ReturnType<typeof unify> {
  const same = args.filter(({ parameter }) => parameter === "T");
  const none = { type: "hierarchy", isDate: false, parts: [] } as const;
  const unified = same.length > 0 ? unify(checking, same) : none;
  const ofSame = unified.parts.values();
  const parts = args.map(({ checked, parameter, role }) => {
    if (parameter === "T") return ofSame.next().value as Checked;
    if (isWordParameter(parameter)) return checkWord(checking, checked, parameter, role);
    return coerce(checking, checked, parameter as DataType, role);
  });
  return { ...unified, parts };
}

/** The constant strings that a parameter allows. */
interface Words {
  /** Describes the allowed strings for error messages. */
  readonly expected: string;
  /** Whether upper and lower case are the same, and white space around the string is ignored. */
  readonly isLoose?: true;
  readonly isKnown: (word: string) => boolean;
  /** Returns why a string is not allowed. Absent: `expected` says enough. */
  readonly reason?: (word: string) => string | undefined;
}

const oneOf = (words: readonly string[]): Words => ({
  expected: `one of the strings ${words.map((each) => `'${each.replaceAll("'", "''")}'`).join(", ")}`,
  isKnown: (word) => words.includes(word),
});

const wordsOf = {
  period: { ...oneOf(levels), isLoose: true },
  pattern: {
    expected: "a string of yyyy, MM, dd, HH, mm, ss, SSS and characters that are not letters",
    isKnown: isDatePattern,
  },
  dateFormat: {
    expected: "a string with directives such as '%d.%m.%Y %H:%M'",
    isKnown: (word) => typeof splitDateFormat(word) !== "string",
    reason: (word) => {
      const reason = splitDateFormat(word);
      return typeof reason === "string" ? reason : undefined;
    },
  },
  decimalMark: oneOf(decimalMarks),
  thousandsMark: oneOf(thousandsMarks),
} satisfies Readonly<Partial<Record<Parameter, Words>>>;

type WordParameter = keyof typeof wordsOf;

const isWordParameter = (parameter: Parameter): parameter is WordParameter =>
  Object.hasOwn(wordsOf, parameter);

/** Checks a constant string against the words that its parameter allows. */
function checkWord(
  checking: Checking,
  checked: Checked,
  parameter: WordParameter,
  role: string,
): Checked {
  const { syntax } = checked;
  const words: Words = wordsOf[parameter];
  const written = syntax.kind === "text" ? syntax.value : undefined;
  const word = words.isLoose ? written?.trim().toLowerCase() : written;
  if (word !== undefined && words.isKnown(word))
    return { ...checked, tree: constant(checking, "hierarchy", word) };
  throw refuse(
    checking,
    "EXPRESSION_VALUE",
    syntax,
    `${words.expected} ${role}`,
    describe(checked),
    word === undefined ? undefined : words.reason?.(word),
  );
}

/** Rejects a number format whose decimal mark also separates thousands. */
function refuseEqualMarks(checking: Checking, [, decimal, thousands]: readonly Argument[]): void {
  const [one, other] = [decimal, thousands].map((each) => each?.checked.syntax);
  if (one?.kind !== "text" || other?.kind !== "text" || one.value !== other.value) return;
  throw refuse(
    checking,
    "EXPRESSION_VALUE",
    other,
    `a mark other than the decimal mark ${thousands?.role}`,
    quoteSource(other.value),
    "leave out thousands if the numbers have no separators",
  );
}

interface ZonedParts {
  readonly zone: string;
  readonly parts: readonly Checked[];
  /** Whether all datetimes among the arguments are calendar dates. */
  readonly isDate: boolean;
}

/**
 * Chooses the time zone. Calendar dates are never shifted. For a difference in days or longer between a date and an
 * instant, the instant becomes a date.
 */
function onClock(
  checking: Checking,
  calls: FunctionName,
  parts: readonly Checked[],
  args: readonly Argument[],
): ZonedParts {
  const { timezone } = checking;
  const isDatetime = (index: number) => args[index]?.parameter === "datetime";
  const moments = parts.filter(
    ({ tree }, index) => isDatetime(index) && !isConstantNull(checking, tree),
  );
  const dates = moments.filter(({ isDate }) => isDate).length;
  const isDate = dates > 0 && dates === moments.length;
  if (isDate) return { zone: "UTC", parts, isDate };
  const tree = parts[0]?.tree;
  const isCalendar =
    tree?.kind === "literal" &&
    levels.findIndex((level) => level === tree.value) <= levels.indexOf("day");
  if (dates === 0 || calls !== "dateDiff" || !isCalendar) return { zone: timezone, parts, isDate };
  const dateOf = (tree: Expression) =>
    call(checking, "dateOf", "datetime", [tree, constant(checking, "hierarchy", timezone)]);
  const dated = parts.map((each, index) =>
    isDatetime(index) && !each.isDate ? { ...each, tree: dateOf(each.tree) } : each,
  );
  return { zone: "UTC", parts: dated, isDate };
}

function isDateOf(
  calls: FunctionName,
  args: readonly Argument[],
  ofSame: boolean,
  ofDatetimes: boolean,
): boolean {
  if (calls === "makeDate" || calls === "dateOf") return true;
  // A format without a time of day returns dates, which no time zone shifts.
  if (calls === "parseDate") {
    const format = args[1]?.checked.syntax;
    return format?.kind === "text" && isCalendarFormat(format.value);
  }
  return calls === "dateTrunc" || calls === "dateAdd" ? ofDatetimes : ofSame;
}
