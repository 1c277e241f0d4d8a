import type { Expression, Output, Period, Plan, Predicate } from "../../../engine/index.ts";
import { column, compare, isIn } from "../strata/planParts.ts";
import type { AccessPath, Question } from "./accessPath.ts";

const rows: Output = { kind: "aggregate", function: "rows" };
const sum = (name: string): Output => ({ kind: "aggregate", function: "sum", of: column(name) });
const count = (name: string): Output => ({
  kind: "aggregate",
  function: "count",
  of: column(name),
});
const median = (name: string): Output => ({
  kind: "aggregate",
  function: "median",
  of: column(name),
});
const key = (name: string): Output => ({ kind: "key", of: column(name) });
const by = (period: Period, name: string): Output => ({
  kind: "key",
  of: { kind: "period", of: column(name), period, timezone: "UTC" },
});
const [s5, s12, s50] = [key("s5"), key("s12"), key("s50")];
const month = by("month", "dt");
const tens: Output = {
  kind: "key",
  of: { kind: "bin", of: column("i2"), width: 10, origin: 0 },
};

const questionOf = (title: string, outputs: readonly Output[], filter?: Predicate): Question => ({
  title,
  plan: { outputs, ...(filter && { filter }) },
});
const joins: Plan["joins"] = [
  { name: "dim", table: "dim", left: { name: "s1000" }, right: "s1000" },
];
const category: Output = { kind: "key", of: { kind: "column", name: "cat10", join: "dim" } };
const id: Output = { kind: "key", of: { kind: "column", name: "s1000", join: "dim" } };
const joinedQuestionOf = (title: string, outputs: readonly Output[]): Question => ({
  title,
  plan: { joins, outputs: [category, ...outputs] },
});

const call = (name: string, ...of: Expression[]): Expression => ({
  kind: "call",
  function: name,
  of,
});
const number = (value: number): Expression => ({ kind: "literal", type: "number", value });
const total = (of: Expression): Output => ({ kind: "aggregate", function: "sum", of });
const discounted = call("multiply", column("x"), call("subtract", number(1), column("y")));
const charged = call("multiply", discounted, call("add", number(1), column("z")));
const shifted = (shift: number) => call("add", column("i2"), number(shift));
const isSmall = compare("i2", "<", 50);
const chosen: Expression = {
  kind: "case",
  branches: [{ when: isSmall, then: column("x") }],
  otherwise: number(0),
};
const unequal = call("nullIf", column("i2"), column("byte"));

/** Three filters, which 20, 50 and 90 % of the rows pass. The passing rows are in random places. */
const [of20, of50, of90] = [20, 50, 90].map((bound) => compare("i2", "<", bound));
const threeRegions = isIn("s5", ["region_1", "region_2", "region_3"]);
const threeShops = isIn("s12", ["shop_1", "shop_2", "shop_3"]);

/** The query Q13 of the bench `strata`. */
const q13 = questionOf(
  "Q13: x, y, z by month and s5, filtered",
  [month, s5, sum("x"), sum("y"), count("z")],
  { kind: "and", of: [threeRegions, compare("i2", ">=", 20), compare("i2", "<=", 79)] },
);

/**
 * The engine's access paths: ways to number and fold few groups, to count values for percentiles, and to fold a single
 * group.
 */
export const accessPaths: readonly AccessPath[] = [
  {
    name: "few groups",
    file: "keys/fewNumbering.ts",
    choice: "return [[canRead ? groups.length : 0]];",
    without: "0",
    questions: [
      questionOf("rows by s5", [s5, rows]),
      questionOf("Q2: sum x by s5", [s5, sum("x")]),
      questionOf("sum x by s5, half", [s5, sum("x")], of50),
      questionOf("sum x by month", [month, sum("x")]),
      q13,
    ],
  },
  {
    name: "few groups: under a mask",
    file: "keys/fewNumbering.ts",
    choice: "return !isSelected || ([[mask >= 0 && rowCount * sparseShare >= vectorRowCount]]);",
    questions: [
      questionOf("rows by s5, half", [s5, rows], of50),
      questionOf("sum x by s5, half", [s5, sum("x")], of50),
      questionOf("sum x by s12, half", [s12, sum("x")], of50),
      questionOf("count nullable by s5, half", [s5, count("nullable")], of50),
      questionOf("rows by s12, fifth", [s12, rows], of20),
      q13,
    ],
  },
  {
    name: "few groups: starts of periods",
    file: "keys/periodNumbering.ts",
    choice: "const stored = [[storedStarts(segment, thresholds.starts)]];",
    without: "undefined",
    questions: [
      questionOf("rows by month", [month, rows]),
      questionOf("sum x by month", [month, sum("x")]),
      questionOf("sum x by month, half", [month, sum("x")], of50),
      questionOf("sum x by year of second", [by("year", "second"), sum("x")]),
      questionOf("sum x by month and s5", [month, s5, sum("x")]),
    ],
  },
  {
    name: "few groups: narrowed numbers",
    file: "keys/fewNumbering.ts",
    choice: "isNarrowed = [[open.length === 0 && groupCount <= fewGroups]];",
    questions: [
      questionOf("rows by tens of i2", [tens, rows]),
      joinedQuestionOf("rows by category", [rows]),
      joinedQuestionOf("sum x by category", [sum("x")]),
      joinedQuestionOf("x, byte, nullable by category", [sum("x"), sum("byte"), count("nullable")]),
    ],
  },
  {
    name: "few groups: whole row groups",
    file: "keys/fewNumbering.ts",
    choice: "get isStored() {\n      return [[open.length > 0]];",
    questions: [
      questionOf("rows by s5", [s5, rows]),
      questionOf("Q2: sum x by s5", [s5, sum("x")]),
      questionOf("sum x by month and s5", [month, s5, sum("x")]),
    ],
  },
  {
    name: "few groups: absent ones left out",
    file: "keys/fewNumbering.ts",
    choice:
      "present = [[source.isSelected ? kernels.leaveOut(source.mask, vectorRowCount, numbers) : -1]];",
    without: "(source.isSelected && kernels.leaveOut(source.mask, vectorRowCount, numbers), -1)",
    questions: [
      questionOf("rows by three of s5", [s5, rows], threeRegions),
      questionOf("sum x by three of s5", [s5, sum("x")], threeRegions),
      questionOf("sum x by three of s12", [s12, sum("x")], threeShops),
      q13,
    ],
  },
  {
    name: "rows: few groups",
    file: "folds/rowsFold.ts",
    choice: "canFold: () => [[numbering.fewGroupCount() > 0]],",
    questions: [
      questionOf("rows by s5", [s5, rows]),
      questionOf("rows by s5, half", [s5, rows], of50),
      questionOf("rows by s12", [s12, rows]),
      questionOf("rows by s12, half", [s12, rows], of50),
    ],
  },
  {
    name: "count: few groups, stored",
    file: "folds/countFold.ts",
    choice: "canFold: () => [[numbering.fewGroupCount() > 0]],",
    questions: [
      questionOf("count nullable by s5", [s5, count("nullable")]),
      questionOf("count nullable by s5, half", [s5, count("nullable")], of50),
      questionOf("count z by s5", [s5, count("z")]),
      questionOf("count z by s5, half", [s5, count("z")], of50),
      questionOf("count z by s12, fifth", [s12, count("z")], of20),
      q13,
    ],
  },
  {
    name: "sum: few groups",
    file: "folds/fewSums.ts",
    choice:
      "canSum: () => [[storedSummand(summand, source) !== undefined && numbering.fewGroupCount() > 0]],",
    questions: [
      questionOf("sum x by s5, half", [s5, sum("x")], of50),
      questionOf("sum x by s12, half", [s12, sum("x")], of50),
      questionOf("sum x by s12, fifth", [s12, sum("x")], of20),
      questionOf("sum byte by s5, nine tenths", [s5, sum("byte")], of90),
      questionOf("sum nullable by s5", [s5, sum("nullable")]),
      questionOf("sum nullable by s12", [s12, sum("nullable")]),
      questionOf("sum x by month", [month, sum("x")]),
      questionOf("sum x by month and s5", [month, s5, sum("x")]),
      q13,
    ],
  },
  {
    name: "sum: few groups, cheapest",
    file: "folds/sumFold.ts",
    choice: "canFold: () => [[few.canSum() && few.isCheapest()]]",
    questions: [
      questionOf("Q2: sum x by s5", [s5, sum("x")]),
      questionOf("sum byte by s5", [s5, sum("byte")]),
      questionOf("sum byte by s12", [s12, sum("byte")]),
      questionOf("sum word by s12", [s12, sum("word")]),
      questionOf("sum long by s5", [s5, sum("long")]),
    ],
  },
  {
    name: "sum: stored key",
    file: "folds/sumFold.ts",
    choice:
      "canFold: () =>\n      [[numbering.storedCodes() !== undefined && storedSummand(summand, source) !== undefined]],",
    questions: [
      questionOf("sum x by s12", [s12, sum("x")]),
      questionOf("sum long by s12", [s12, sum("long")]),
      questionOf("sum x by s50", [s50, sum("x")]),
    ],
  },
  {
    name: "pair: few groups",
    file: "folds/pairFold.ts",
    choice: "canFold: () => [[leftFew.canSum() && rightFew.canSum()]],",
    questions: [
      questionOf("x, i1, word by s5", [s5, sum("x"), sum("i1"), sum("word")]),
      questionOf("x, i1, word by s12", [s12, sum("x"), sum("i1"), sum("word")]),
      questionOf("x, i1, word by s5, half", [s5, sum("x"), sum("i1"), sum("word")], of50),
    ],
  },
  {
    name: "percentiles: counts of wanted values",
    file: "percentiles/collectValues.ts",
    choice: "canFold: () => [[!source.isSelected && counts.canCount()]],",
    questions: [questionOf("Q8: median x by s50", [s50, median("x")])],
  },
  {
    name: "sum: one group under a mask",
    file: "folds/total.ts",
    choice: "return [[mask >= 0 && rowCount * sparseRows > vectorRowCount]];",
    questions: [
      questionOf("sum x, half", [sum("x")], of50),
      questionOf("sum x, fifth", [sum("x")], of20),
    ],
  },
  {
    name: "count: one group, stored",
    file: "folds/countFold.ts",
    choice: "canFold: () => [[numbering.isConstant && (!source.isSelected || source.mask >= 0)]],",
    questions: [
      questionOf("count z, half", [count("z")], of50),
      questionOf("count nullable, half", [count("nullable")], of50),
    ],
  },
  {
    name: "arithmetic: kernels",
    file: "rows/vectors.ts",
    choice: "const arithmetic = [[compileArithmetic(expression, compilation, compileVector)]];",
    without: "undefined",
    questions: [
      questionOf("x * (1 - y) by s5", [s5, total(discounted)]),
      questionOf("x * (1 - y) by s50", [s50, total(discounted)]),
      questionOf("x / i1 by s5", [s5, total(call("divide", column("x"), column("i1")))]),
      questionOf("round(x) as a key", [
        { kind: "key", of: call("round", column("y"), number(0)) },
        rows,
      ]),
      questionOf("|x - 50| by s5", [
        s5,
        total(call("abs", call("subtract", column("x"), number(50)))),
      ]),
      questionOf("floor(x) by s5", [s5, total(call("floor", column("x")))]),
      questionOf("coalesce(nullable, 0) by s5", [
        s5,
        total(call("coalesce", column("nullable"), number(0))),
      ]),
      questionOf("rows where i2 = byte", [rows], { kind: "isNull", left: unequal }),
    ],
  },
  {
    name: "arithmetic: equal expressions once",
    file: "rows/sharedVectors.ts",
    choice: "const known = [[this.#vectors.get(key)]];",
    without: "undefined",
    questions: [
      questionOf("x * (1 - y), x * (1 - y) * (1 + z)", [s50, total(discounted), total(charged)]),
      questionOf("sum and extremes of x * (1 - y)", [
        s50,
        total(discounted),
        { kind: "aggregate", function: "min", of: discounted },
        { kind: "aggregate", function: "stddev", of: discounted },
      ]),
      questionOf("two measures if i2 < 50", [
        s50,
        total(chosen),
        total(call("multiply", chosen, column("y"))),
      ]),
    ],
  },
  {
    name: "sums on a line",
    file: "../plan/bindGrouping.ts",
    choice: "const line = [[this.#line(value)]];",
    without: "undefined",
    questions: [
      questionOf(
        "ten sums of i2 + k",
        Array.from({ length: 10 }, (_, shift) => total(shifted(shift))),
      ),
      questionOf("sum of 3 * i2 by s50", [s50, total(call("multiply", column("i2"), number(3)))]),
    ],
  },
  {
    name: "derived keys",
    file: "../plan/deriveKeys.ts",
    choice: "all.filter((key) => [[!columnKeys.has(key) && reads(keyValue(key), keyByColumn)]]),",
    questions: [
      questionOf("i1, i1 - 1, i1 - 2, i1 - 3", [
        key("i1"),
        ...[1, 2, 3].map((shift): Output => ({
          kind: "key",
          of: call("subtract", column("i1"), number(shift)),
        })),
        rows,
      ]),
    ],
  },
  {
    name: "dependent keys",
    file: "../plan/deriveKeys.ts",
    choice: "const on = [[left.find((each) => dependentKey(key, each, 0) !== undefined)]];",
    without: "undefined",
    questions: [
      {
        title: "rows by id and category",
        plan: { joins, outputs: [id, category, rows], order: [{ output: 0, descending: false }] },
      },
    ],
  },
  {
    name: "sparse groups: hashed",
    file: "../pool/hashSparseGroups.ts",
    choice: "const isSparse = [[stateBytes >= passingCount * stateBytesPerRow]];",
    questions: [
      {
        title: "rows by word and i2, few rows",
        plan: {
          outputs: [key("word"), key("i2"), rows],
          filter: isIn("s1000", ["city_0400", "city_0700"]),
          order: [
            { output: 0, descending: false },
            { output: 1, descending: false },
          ],
        },
      },
    ],
  },
  {
    name: "numbers by code: kernel",
    file: "rows/vectors.ts",
    choice: "const isCopied = [[canCopyTable(values.byteLength, compilation)]];",
    questions: [
      questionOf("length of s1000", [total(call("length", column("s1000")))]),
      questionOf("length of s1000 by s5", [s5, total(call("length", column("s1000")))]),
    ],
  },
];
