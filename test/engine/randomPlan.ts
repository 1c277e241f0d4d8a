import {
  dateParts,
  functionDefinitions,
  type FunctionDefinition,
} from "../../plugins/protocol/index.ts";
import type {
  AggregateFunction,
  DataType,
  Expression,
  Join,
  Output,
  OutputPredicate,
  Plan,
  Predicate,
  Scalar,
} from "../../engine/index.ts";
import { aggregates } from "../../engine/aggregates.ts";
import { periods } from "../../engine/types.ts";
import type { Random } from "../support/random.ts";
import type { RandomTable, Size } from "./randomTables.ts";

export interface RandomPlanOptions {
  readonly tables: readonly RandomTable[];
  /**
   * Whether to use only the parts of the grammar that have the same meaning in SQL: only the time zone UTC, only
   * functions whose results are equal to the last bit, and no sketches.
   */
  readonly isSql: boolean;
}

interface Column {
  readonly of: Expression;
  readonly type: DataType;
  readonly size: Size | undefined;
}

interface Scope extends RandomPlanOptions {
  readonly random: Random;
  readonly columns: readonly Column[];
}

const joins: readonly Join[] = [
  { name: "c", table: "cities", left: { name: "city" }, right: "id" },
  { name: "r", table: "regions", left: { name: "region", join: "c" }, right: "id" },
  { name: "p", table: "people", left: { name: "personId" }, right: "id" },
  { name: "a", table: "accounts", left: { name: "accountId" }, right: "id" },
  { name: "d", table: "days", left: { name: "day" }, right: "id" },
];
const zones = ["UTC", "Europe/Brussels", "America/New_York", "Asia/Kathmandu", "Australia/Sydney"];

/**
 * Functions whose results in the engine and in DuckDB are equal to the last bit, for the arguments that are generated
 * here.
 */
const sqlFunctions = [
  "add subtract multiply divide modulo quotient negate abs sign ceil floor round sqrt",
  "coalesce nullIf least greatest compare",
  "length position contains startsWith endsWith datePart dateDiff epochMs",
  "concat lower upper trim left right substring replace splitPart repeat padStart padEnd",
  "dateTrunc dateAdd dateOf",
].flatMap((names) => names.split(" "));

interface Signature {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly repeated: readonly string[];
  readonly result: string;
}

/** Returns the engine's name of a type. The engine represents booleans as numbers. */
const engineType = (type: string): string =>
  ({ numeric: "number", boolean: "number", hierarchy: "text" })[type] ?? type;

/** Signatures of the functions that a `call` can use. */
const signatures: readonly Signature[] = [
  { name: "compare", parameters: ["T", "T"], repeated: [], result: "number" },
  ...Object.entries<FunctionDefinition>(functionDefinitions).flatMap(([name, definition]) => {
    const { parameters, repeated = [], result } = definition;
    const isMatch = ["contains", "startsWith", "endsWith"].includes(name);
    if (name === "case" || name === "switch" || (result === "boolean" && !isMatch)) return [];
    return [
      {
        name,
        parameters: parameters.map(engineType),
        repeated: repeated.map(engineType),
        result: engineType(result),
      },
    ];
  }),
];

/**
 * Returns a random plan over the table `t` of `makeTables`. All forms of the grammar occur, in all combinations for
 * which exactly one answer is correct.
 */
export function makePlan(random: Random, options: RandomPlanOptions): Plan {
  const joined = random.chance(0.5) ? chooseJoins(random, options) : [];
  const scope: Scope = { ...options, random, columns: columnsOf(options.tables, joined) };
  const grouped = random.chance(0.75);
  const outputs: Output[] = [];
  for (let count = random.below(3) + (grouped ? 0 : 1); count > 0; count--)
    outputs.push({ kind: "key", of: makeKey(scope) });
  if (random.chance(0.1)) {
    const of = makeColumn(scope, "number");
    const keys = shuffle(random, [of, makeLine(random, of), makeLine(random, of)]);
    outputs.push(...keys.map((each) => ({ kind: "key", of: each }) as const));
  }
  if (grouped)
    for (let count = random.below(4) + (outputs.length > 0 ? 0 : 1); count > 0; count--)
      outputs.push(makeAggregate(scope));
  const exact = outputs.flatMap((output, index) => (isExact(output, scope) ? [index] : []));
  const having = grouped && exact.length > 0 && random.chance(0.3);
  const isRunning = outputs.some(
    (output) => output.kind === "aggregate" && output.function === "cumulativesum",
  );
  const isOrdered = isRunning || random.chance(0.75);
  const keyCount = outputs.filter(({ kind }) => kind === "key").length;
  const isLimited = (isOrdered || !grouped) && random.chance(0.35);
  return {
    table: "t",
    ...(joined.length > 0 && { joins: joined }),
    outputs,
    grouped,
    ...(random.chance(0.6) && { filter: makePredicate(scope, 2) }),
    ...(having && { having: makeHaving(scope, outputs, exact) }),
    ...(isOrdered && {
      order: shuffle(random, exact).map((output) => ({ output, descending: random.chance(0.5) })),
    }),
    ...(isLimited &&
      keyCount > 0 &&
      random.chance(0.6) && {
        groupLimit: {
          count: random.below(4),
          offset: random.below(2),
          outputs: [
            random.below(keyCount),
            ...(random.chance(0.3) ? [random.below(keyCount)] : []),
          ],
        },
      }),
    ...(isLimited &&
      random.chance(0.7) && { limit: { count: random.below(20), offset: random.below(5) } }),
  };
}

function chooseJoins(random: Random, options: RandomPlanOptions): readonly Join[] {
  const chosen = random.some(joins, 0.5);
  const needsCities = chosen.some(({ left }) => left.join === "c");
  const needed = needsCities && !chosen.includes(joins[0]) ? [joins[0], ...chosen] : chosen;
  return needed.map((join) =>
    random.chance(0.4) ? { ...join, filter: makeJoinFilter(random, options, join.table) } : join,
  );
}

/** Returns a predicate on the columns of the joined table `table`. */
function makeJoinFilter(random: Random, options: RandomPlanOptions, table: string): Predicate {
  const tables = [
    { name: "t", columns: options.tables.find(({ name }) => name === table)?.columns ?? [] },
  ];
  return makePredicate({ ...options, random, columns: columnsOf(tables, []) }, 1, 1);
}

function columnsOf(tables: readonly RandomTable[], joined: readonly Join[]): Column[] {
  const own = [{ table: "t", join: undefined }];
  return [...own, ...joined.map(({ table, name }) => ({ table, join: name }))].flatMap(
    ({ table, join }) =>
      (tables.find(({ name }) => name === table)?.columns ?? []).map(({ name, type, size }) => ({
        of: { kind: "column", name, ...(join !== undefined && { join }) } as const,
        type,
        size,
      })),
  );
}

function makeKey(scope: Scope): Expression {
  if (scope.random.chance(0.2))
    return {
      kind: "period",
      of: { kind: "column", name: "when" },
      period: scope.random.pick(["year", "quarter", "month", "week", "day"]),
      timezone: makeZone(scope),
    };
  const type = scope.random.pick(["number", "datetime", "text", "text"] as const);
  return makeExpression(scope, type, scope.random.below(3));
}

function makeColumn({ random, columns }: Scope, type: DataType): Expression {
  const fitting = columns.filter((column) => column.type === type);
  if (fitting.length === 0) return { kind: "literal", type, value: makeValue(random, type) };
  return random.pick(fitting).of;
}

/** Returns an expression of a type with at most `depth` nested operations. */
function makeExpression(scope: Scope, type: DataType, depth: number): Expression {
  const { random } = scope;
  if (depth === 0 || random.chance(0.3)) return makeColumn(scope, type);
  const kinds = ["call", "call", "call", "case"];
  if (type === "number") kinds.push("bin");
  if (type === "datetime") kinds.push("period", "period");
  switch (random.pick(kinds)) {
    case "bin": {
      const of = makeExpression(scope, "number", depth - 1);
      return {
        kind: "bin",
        of,
        width: random.pick([1, 5, 0.25, 1000]),
        origin: random.pick([0, 2, -0.5]),
      };
    }
    case "period": {
      const of = makeExpression(scope, "datetime", depth - 1);
      return { kind: "period", of, period: random.pick(periods), timezone: makeZone(scope) };
    }
    case "case":
      return {
        kind: "case",
        branches: Array.from({ length: 1 + random.below(2) }, () => ({
          when: makePredicate(scope, 0, depth - 1),
          then: makeOperand(scope, type, depth - 1),
        })),
        ...(random.chance(0.6) && { otherwise: makeOperand(scope, type, depth - 1) }),
      };
    default:
      return makeCall(scope, type, depth);
  }
}

/** Returns a random expression or constant. */
function makeOperand(scope: Scope, type: DataType, depth: number): Expression {
  const { random } = scope;
  if (random.chance(0.7)) return makeExpression(scope, type, depth);
  return { kind: "literal", type, value: random.chance(0.1) ? null : makeValue(random, type) };
}

function makeCall(scope: Scope, type: DataType, depth: number): Expression {
  const { random, isSql } = scope;
  const known = signatures.filter(
    ({ name, result }) =>
      (result === type || result === "T") && (!isSql || sqlFunctions.includes(name)),
  );
  const { name, parameters, repeated, result } = random.pick(known);
  const any = result === "T" ? type : random.pick(["number", "datetime", "text"] as const);
  const all = random.chance(0.3) ? [...parameters, ...repeated] : parameters;
  const of = all.map((parameter, index): Expression => {
    const fixed = makeFixed(scope, name, index);
    if (fixed !== undefined)
      return { kind: "literal", type: typeof fixed === "number" ? "number" : "text", value: fixed };
    if (parameter === "T") return makeOperand(scope, any, depth - 1);
    if (parameter === "number" || parameter === "datetime" || parameter === "text")
      return index === 0
        ? makeExpression(scope, parameter, depth - 1)
        : makeOperand(scope, parameter, depth - 1);
    return { kind: "literal", type: "text", value: makeLiteral(scope, parameter) };
  });
  return { kind: "call", function: name, of };
}

/** Returns arguments that are small enough to keep strings short, and that have the same meaning in DuckDB. */
function makeFixed({ random, isSql }: Scope, name: string, index: number): Scalar | undefined {
  const at = `${name} ${index}`;
  if (!isSql && random.chance(0.1) && !["repeat 1", "padStart 1", "padEnd 1"].includes(at))
    return undefined;
  switch (at) {
    case "round 1":
    case "trunc 1":
      return random.below(4);
    case "left 1":
    case "right 1":
    case "repeat 1":
    case "substring 2":
      return random.below(4);
    case "padStart 1":
    case "padEnd 1":
      return random.below(9);
    case "substring 1":
    case "splitPart 2":
      return 1 + random.below(4);
    case "padStart 2":
    case "padEnd 2":
      return random.pick(["-", "xy"]);
    case "replace 1":
    case "splitPart 1":
    case "position 1":
    case "contains 1":
    case "startsWith 1":
    case "endsWith 1":
      return random.pick(["a", "n", "wer", "1", "."]);
    case "dateAdd 1":
      return random.below(60) - 30;
    default:
      return undefined;
  }
}

function makeLiteral(scope: Scope, parameter: string): string {
  const { random } = scope;
  if (parameter === "period") return random.pick(periods);
  if (parameter === "part") return random.pick(dateParts);
  if (parameter === "dateFormat") return random.pick(["%d.%m.%Y", "%Y", "%e %B %Y %H:%M"]);
  if (parameter === "decimalMark") return random.pick([".", ","]);
  if (parameter === "thousandsMark") return random.pick(["", ".", ",", " ", "'"]);
  return parameter === "zone" ? makeZone(scope) : random.pick(["yyyy-MM", "dd/MM HH:mm", "SSS"]);
}

const makeZone = ({ random, isSql }: Scope) => (isSql ? "UTC" : random.pick(zones));

function makeValue(random: Random, type: DataType): number | string {
  if (type === "text")
    return random.pick(["Gent", "w12", "", "\uFF5E", "nowhere", "it's", "north"]);
  if (type === "datetime") return Date.UTC(1955 + random.below(80), random.below(12), 1);
  return random.pick([0, 3, -5, 0.25, 12.5, 1000, 2 ** 30]);
}

/** Returns a predicate of at most `depth` levels, over expressions of at most `expressionDepth` levels. */
function makePredicate(scope: Scope, depth: number, expressionDepth = 2): Predicate {
  const { random } = scope;
  const leaves = ["compare", "compare", "in", "match", "isNull"] as const;
  const kind = random.pick(depth > 0 ? ([...leaves, "and", "or", "not"] as const) : leaves);
  if (kind === "and" || kind === "or")
    return {
      kind,
      of: Array.from({ length: random.below(3) }, () =>
        makePredicate(scope, depth - 1, expressionDepth),
      ),
    };
  if (kind === "not") return { kind, of: makePredicate(scope, depth - 1, expressionDepth) };
  const type = kind === "match" ? "text" : random.pick(["number", "datetime", "text"] as const);
  const left = makeExpression(scope, type, random.below(expressionDepth + 1));
  if (kind === "match")
    return {
      kind,
      left,
      match: random.pick(["contains", "startsWith", "endsWith"] as const),
      text: random.pick(["A", "EN", "1", ".*", "", "W1"]),
    };
  if (kind === "isNull") return { kind, left };
  return kind === "in"
    ? { kind, left, values: makeValues(random, type) }
    : { kind, left, operator: makeOperator(random), value: makeValue(random, type) };
}

const makeOperator = (random: Random) => random.pick(["=", "<", "<=", ">", ">="] as const);

const makeValues = (random: Random, type: DataType) =>
  Array.from({ length: random.below(4) }, () =>
    random.chance(0.25) ? null : makeValue(random, type),
  );

const aggregateNames = Object.keys(aggregates) as readonly AggregateFunction[];

function makeAggregate(scope: Scope): Output {
  const { random, isSql } = scope;
  const name = random.pick(
    aggregateNames.filter((each) => !isSql || !each.startsWith("approximate")),
  );
  const { argument, takes } = aggregates[name];
  if (argument === "none") return { kind: "aggregate", function: name };
  const of = argument === "any" ? makeKey(scope) : makeCalm(scope);
  return {
    kind: "aggregate",
    function: name,
    of,
    ...(takes === "weight" && { weight: pickSized(scope, ["small"]) }),
    ...(takes === "other" && { other: pickSized(scope, ["small"]) }),
    ...(takes === "fraction" && {
      fraction: random.pick([0, 0.05, 0.25, 0.5, 0.9, 1]),
    }),
  };
}

const pickSized = ({ random, columns }: Scope, sizes: readonly Size[]): Expression =>
  random.pick(columns.filter(({ size }) => size !== undefined && sizes.includes(size))).of;

/** Returns an expression whose sums and squares stay far below the largest double. */
function makeCalm(scope: Scope): Expression {
  const { random } = scope;
  const column = pickSized(scope, ["small", "whole", "decimal"]);
  const other = pickSized(scope, ["small", "decimal"]);
  const forms: readonly (() => Expression)[] = [
    () => column,
    () => column,
    () => ({
      kind: "call",
      function: random.pick(["add", "subtract", "multiply"]),
      of: [column, other],
    }),
    () => makeLine(random, column),
    () => makeLine(random, makeLine(random, column)),
    () => ({ kind: "call", function: "abs", of: [column] }),
    () => ({ kind: "call", function: "length", of: [makeColumn(scope, "text")] }),
    () => ({ kind: "bin", of: column, width: 10, origin: 0 }),
    () => ({
      kind: "case",
      branches: [{ when: makePredicate(scope, 1, 1), then: column }],
      ...(random.chance(0.5) && { otherwise: other }),
    }),
  ];
  return random.pick(forms)();
}

/** Returns the sum, the difference or the product of an expression and a constant. */
function makeLine(random: Random, of: Expression): Expression {
  const value = random.pick([0, 1, 3, -5, 0.25]);
  const constant = { kind: "literal", type: "number", value } as const;
  return {
    kind: "call",
    function: random.pick(["add", "subtract", "multiply"]),
    of: random.chance(0.5) ? [of, constant] : [constant, of],
  };
}

/** Returns whether an output is independent of the order in which rows are added up. */
function isExact(output: Output, { columns }: Scope): boolean {
  if (output.kind === "key") return true;
  if (["rows", "count", "min", "max", "distinctcount"].includes(output.function)) return true;
  const column = columns.find(({ of }) => of === output.of);
  return output.function === "sum" && (column?.size === "small" || column?.size === "whole");
}

function makeHaving(
  scope: Scope,
  outputs: readonly Output[],
  exact: readonly number[],
): OutputPredicate {
  const { random } = scope;
  const index = random.pick(exact);
  const output = outputs[index];
  const isCount = output.kind === "aggregate" && !["min", "max"].includes(output.function);
  const type = isCount ? "number" : typeOf(output.of, scope);
  const leaf = random.pick<() => OutputPredicate>([
    () => ({ kind: "isNull", output: index }),
    () => ({ kind: "in", output: index, values: makeValues(random, type) }),
    () => ({
      kind: "compare",
      output: index,
      operator: makeOperator(random),
      value: isCount ? random.below(5) : makeValue(random, type),
    }),
  ])();
  return random.chance(0.6) ? { kind: "not", of: leaf } : leaf;
}

/** Returns the type of a generated expression. */
function typeOf(expression: Expression | undefined, { columns }: Scope): DataType {
  switch (expression?.kind) {
    case "column":
      return columns.find(({ of }) => of === expression)?.type ?? "number";
    case "literal":
      return expression.type;
    case "period":
      return "datetime";
    case "case":
      return typeOf(expression.branches[0].then, { columns } as Scope);
    case "call": {
      const { result } = signatures.find(({ name }) => name === expression.function) ?? {};
      return result === "T" ? typeOf(expression.of[0], { columns } as Scope) : (result as DataType);
    }
    case undefined:
    case "bin":
      return "number";
  }
}

function shuffle<Item>(random: Random, items: readonly Item[]): Item[] {
  const left = [...items];
  return items.map(() => left.splice(random.below(left.length), 1)[0]);
}
