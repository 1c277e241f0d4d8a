import * as assert from "uvu/assert";
import { ExpressionError, listReferences } from "../../../../core/queries/expressions/index.ts";
import { evaluate } from "../../../../plugins/meanings/evaluate.ts";
import { expressionErrors } from "../../../../core/queries/expressions/expressionError.ts";
import { evaluateFormula } from "../../../../core/queries/expressions/evaluateFormula.ts";
import { functions } from "../../../../core/queries/expressions/functions.ts";
import { print } from "../../../../core/queries/expressions/print.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { compiled, nowMs, valueOf, type Cells } from "./compiled.ts";
import { randomSyntax } from "./randomSyntax.ts";
import { randomTyped } from "./randomTyped.ts";
import { refusedExpression } from "./refusedExpression.ts";

const formula = (source: string) => compiled(source, "UTC", "formula");

function formulaOf(source: string, rows: readonly Cells[]) {
  const columns = rows.map((row) => (columnId: string) => row[columnId] ?? null);
  return evaluateFormula(formula(source), columns);
}

const truth = (test: string, cells: Cells = {}) => valueOf(`if(${test}, 1, 0)`, cells) === 1;

suite("core/queries/expressions/compileExpression", (test) => {
  test("compiling returns the type of a column or formula, and turns a test into the string true or false", () => {
    for (const [source, type] of [
      ["{D:n} * 2", "numeric"],
      ["{D:s} || 'a'", "hierarchy"],
      ["date_trunc('day', {D:w})", "datetime"],
      ["{D:n} > 2", "hierarchy"],
      ["coalesce(null, {D:w})", "datetime"],
      ["cast(null as number)", "numeric"],
      ["case {D:s} when 'a' then 1 end", "numeric"],
    ] as const)
      assert.is(compiled(source).type, type, source);
    assert.is(valueOf("{D:n} > 2", { n: 3 }), "true");
    assert.is(valueOf("{D:n} > 2"), "false");
  });

  test("a test on null is false, and its negation with `not` is true", () => {
    for (const positive of [
      "{D:n} = 1",
      "{D:n} < 1",
      "{D:n} <= 1",
      "{D:n} > 1",
      "{D:n} >= 1",
      "{D:n} between 0 and 2",
      "1 between {D:n} and 2",
      "{D:n} = {D:m}",
      "{D:n} in (1, 2)",
      "{D:s} like 'a'",
      "{D:s} starts with 'a'",
      "{D:s} ends with 'a'",
    ]) {
      assert.is(truth(positive), false, positive);
      assert.is(truth(`not (${positive})`), true, positive);
    }
    for (const negative of [
      "{D:n} != 1",
      "{D:n} not in (1, 2)",
      "{D:n} not between 0 and 2",
      "{D:s} not like 'a'",
      "{D:s} not starts with 'a'",
      "{D:s} not ends with 'a'",
    ])
      assert.is(truth(negative), true, negative);
  });

  test("a list may contain null, which matches null", () => {
    assert.is(truth("{D:n} in (1, null)"), true);
    assert.is(truth("{D:n} not in (1, null)"), false);
    assert.is(truth("{D:n} in (1, null)", { n: 2 }), false);
    assert.is(truth("{D:n} in (-1, 1 / 2)", { n: 0.5 }), true);
    assert.is(truth("{D:n} is null"), true);
    assert.is(truth("{D:n} is not null"), false);
    assert.is(truth("{D:w} in ('2024-01-31', '2024-02-01')", { w: Date.UTC(2024, 0, 31) }), true);
  });

  test("a random test and its complement are never both true or both false", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const value = () => random.pick(["{D:n}", "{D:m}", "1", "2", "-1", "{D:n} / {D:m}"]);
      const test = (): string =>
        random.pick([
          `${value()} ${random.pick(["=", "!=", "<", "<=", ">", ">="])} ${value()}`,
          `${value()} between ${value()} and ${value()}`,
          `${value()} in (1, ${random.pick(["null", "2"])})`,
          `${value()} is null`,
        ]);
      for (let round = 0; round < rounds({ quick: 100, deep: 1000 }); round++) {
        const cells = { n: random.pick([null, 0, 1, 2]), m: random.pick([null, 0, 1, -1]) };
        const [one, other] = [test(), test()];
        assert.is.not(truth(one, cells), truth(`not (${one})`, cells), one);
        assert.is(
          truth(`${one} and ${other}`, cells),
          !truth(`not (${one}) or not (${other})`, cells),
          `${one} and ${other}`,
        );
      }
    });
  });

  test("strings are compared by code point, and numbers and datetimes by value", () => {
    for (const [source, value] of [
      ["'a' = 'A'", false],
      ["'a' = 'a '", false],
      ["'B' < 'a'", true],
      ["'\uffee' < '𝒳'", true],
      ["'\ue000' < '𝒳'", true],
      ["'𝒳' < '𝒴'", true],
      ["'a' < 'ab'", true],
      ["'' < 'a'", true],
      ["10 < 9", false],
      ["9 < 9", false],
      ["9 > 9", false],
      ["9 <= 9", true],
      ["9 >= 9", true],
      ["8 >= 9", false],
      ["10 <= 9", false],
      ["1 between 1 and 1", true],
      ["-0.0 = 0", true],
      ["'2024-01-31' = date(2024, 1, 31)", true],
      ["date(2024, 1, 31) < '2024-01-31T00:00:00.001Z'", true],
    ] as const)
      assert.is(truth(source), value, source);
  });

  test("negative zero becomes zero", () => {
    assert.ok(Object.is(valueOf("{D:n} * 0", { n: -1 }), 0));
    assert.ok(Object.is(valueOf("ceil(-0.5)"), 0));
  });

  test("`case` returns the value of the first true branch or otherwise the `else` value, and null matches no key", () => {
    const graded = "case when {D:n} > 8 then 'good' when {D:n} > 5 then 'fair' else 'poor' end";
    for (const [n, value] of [
      [9, "good"],
      [6, "fair"],
      [1, "poor"],
      [null, "poor"],
    ] as const)
      assert.is(valueOf(graded, { n }), value);
    const named = "case {D:n} when 1 then 'one' when {D:m} then 'm' end";
    assert.is(valueOf(named, { n: 1, m: 1 }), "one");
    assert.is(valueOf(named, { n: 2, m: 2 }), "m");
    assert.is(valueOf(named, { n: 3, m: 2 }), null);
    assert.is(valueOf(named, {}), null);
    assert.is(truth("case when {D:n} > 1 then true end"), false);
  });

  test("compiling fails if types do not match, and the error names both types", () => {
    for (const [source, code, message] of [
      ["{D:n} + 'a'", "TYPE", /a number after \+, found the string 'a'/],
      ["'a' + 'b'", "TYPE", /join strings with \|\|/],
      ["{D:w} - {D:v}", "TYPE", /date_diff/],
      ["{D:w} + 1", "TYPE", /a number before \+, found a datetime column; write date_add/],
      ["-{D:s}", "TYPE", /a number after -, found a string column/],
      ["not {D:n}", "TYPE", /a test after not, found a number column; a test is a comparison/],
      ["{D:n} and true", "TYPE", /a test before and/],
      ["true or null", "TYPE", /a test after or, found null/],
      ["{D:s} || 1", "TYPE", /a string after \|\|, found the number 1; write cast\(… as text\)/],
      ["{D:n} = 'a'", "TYPE", /a number after =, found the string 'a'/],
      ["{D:n} = null", "TYPE", /a value after =, found null; write x is null/],
      ["null < {D:n}", "TYPE", /a value before <, found null/],
      ["{D:n} between null and 2", "TYPE", /a bound of between, found null/],
      ["case null when 1 then 2 end", "TYPE", /a value after case, found null/],
      ["case {D:n} when null then 2 end", "TYPE", /case when x is null/],
      ["true = false", "TYPE", /a number, a string or a datetime before =, found a test/],
      ["(1 = 2) is null", "TYPE", /a test is never null/],
      ["{D:n} like '1'", "TYPE", /a string before like, found a number column/],
      ["{D:w} >= 'tomorrow'", "VALUE", /a datetime after >=, such as '2024-01-31'.*'tomorrow'/],
      ["{D:n} in (1, 'a')", "TYPE", /a number in the list, found the string 'a'/],
      ["{D:n} in (1, {D:m})", "VALUE", /a constant in the list, found a number column/],
      ["null in (1)", "TYPE", /a value before in, found null/],
      ["if(true, 1, 'a')", "TYPE", /a number after else, found the string 'a'/],
      ["case when 1 then 2 end", "TYPE", /a test after when, found the number 1/],
      ["case when true then 1 > 0 else null end", "TYPE", /a test after else, found null/],
      ["null", "TYPE", /a value whose type is known, found null; write cast\(null as number\)/],
      ["coalesce(null, null)", "TYPE", /a value whose type is known/],
      ["case when true then null end", "TYPE", /a value whose type is known/],
      ["{D:x}", "COLUMN_UNKNOWN", /a column that exists and that you may see, found \{D:x\}/],
      ["{E:n}", "COLUMN_UNKNOWN", /\{E:n\}/],
      ["1 + {D:sum}", "TYPE", /a column of numbers, strings or datetimes, found a derived column/],
      ["nosuch(1)", "FUNCTION_UNKNOWN", /the name of a function, found "nosuch"$/],
      ["flor(1)", "FUNCTION_UNKNOWN", /did you mean floor\?/],
      ["instr('a', 'b')", "FUNCTION_UNKNOWN", /write position\(text, sought\)/],
      ["constructor(1)", "FUNCTION_UNKNOWN", /"constructor"/],
      ["__proto__(1)", "FUNCTION_UNKNOWN", /"__proto__"/],
      ["date_trunc({D:s}, {D:w})", "VALUE", /'year', 'quarter'.*as period of date_trunc/],
      ["format_date({D:w}, 'MMM')", "VALUE", /yyyy, MM, dd, HH, mm, ss, SSS/],
      ["format_date({D:w}, {D:s})", "VALUE", /as pattern of format_date, found a string column/],
      ["parse_date({D:s}, {D:t})", "VALUE", /as format of parse_date, found a string column$/],
      [
        "parse_date({D:s}, '%d.%q')",
        "VALUE",
        /found the string '%d.%q'; %q is not a directive; use %Y/,
      ],
      ["parse_date({D:s}, '%d.%m')", "VALUE", /no directive for the year, such as %Y/],
      ["parse_date({D:s}, '%Y %')", "VALUE", /% is not a directive/],
      ["parse_date({D:n}, '%Y')", "TYPE", /as text of parse_date, found a number column/],
      ["parse_number({D:s}, ';')", "VALUE", /'\.', ',' as decimal of parse_number/],
      ["parse_number({D:s}, '.', '_')", "VALUE", /'', ',', '\.', ' ', '''' as thousands of/],
      ["parse_number({D:s}, ',', ',')", "VALUE", /other than the decimal mark as thousands of/],
      ["strptime({D:s}, '%Y')", "FUNCTION_UNKNOWN", /write parse_date\(text, format\)/],
    ] as const) {
      const refusal = refusedExpression(() => compiled(source));
      assert.is(refusal.code, `EXPRESSION_${code}`, `${source}: ${refusal.message}`);
      assert.match(refusal.message, message);
    }
  });

  test("date functions use the time zone's clock and calendar, but never shift a date", () => {
    const evening = { w: Date.UTC(2024, 0, 31, 23, 30), d: Date.UTC(2024, 0, 31) };
    for (const [source, zone, value] of [
      ["month({D:w})", "Europe/Brussels", 2],
      ["month({D:w})", "UTC", 1],
      ["month({D:d})", "America/New_York", 1],
      ["hour({D:d})", "America/New_York", 0],
      ["cast(date_of({D:w}) as text)", "Europe/Brussels", "2024-02-01"],
      ["cast(cast({D:w} as date) as text)", "Europe/Brussels", "2024-02-01"],
      ["cast({D:d} as text)", "America/New_York", "2024-01-31"],
      ["cast({D:w} as text)", "America/New_York", "2024-01-31T23:30:00.000Z"],
      ["cast(date_trunc('month', {D:w}) as text)", "Europe/Brussels", "2024-01-31T23:00:00.000Z"],
      ["cast(date_trunc('month', {D:d}) as text)", "America/New_York", "2024-01-01"],
      ["cast(date_add('month', 1, {D:d}) as text)", "America/New_York", "2024-02-29"],
      ["format_date({D:w}, 'dd HH:mm')", "Asia/Kolkata", "01 05:00"],
      ["date_diff('day', {D:d}, {D:w})", "Europe/Brussels", 1],
      ["date_diff('day', {D:d}, {D:w})", "UTC", 0],
      ["date_diff('hour', {D:d}, {D:w})", "Europe/Brussels", 23],
      ["cast(today() as text)", "Europe/Brussels", "2024-02-10"],
      ["cast(coalesce({D:d}, '2024-01-01') as text)", "America/New_York", "2024-01-31"],
      ["cast(coalesce({D:d}, {D:w}) as text)", "UTC", "2024-01-31T00:00:00.000Z"],
      ["day(if({D:w} > {D:d}, {D:d}, null))", "America/New_York", 31],
    ] as const)
      assert.is(valueOf(source, evening, zone), value, `${source} in ${zone}`);
    assert.is(compiled("date(2024, 1, 1)").isDate, true);
    assert.is(compiled("{D:w}").isDate, false);
  });

  test("`date_add` keeps the time of day across clock changes, and moves a time that the clock skips", () => {
    const zone = "Europe/Brussels";
    for (const [source, value] of [
      // The night of 31 March 2024 has no hour from 2 to 3. The night of 27 October has that hour twice.
      ["date_add('day', 1, '2024-03-30T11:00:00+01:00')", "2024-03-31T09:00:00.000Z"],
      ["date_add('hour', 24, '2024-03-30T11:00:00+01:00')", "2024-03-31T10:00:00.000Z"],
      ["date_add('day', 1, '2024-03-30T02:30:00+01:00')", "2024-03-31T01:30:00.000Z"],
      ["date_add('day', 1, '2024-10-26T02:30:00+02:00')", "2024-10-27T00:30:00.000Z"],
      ["date_trunc('hour', '2024-10-27T02:30:00+02:00')", "2024-10-27T00:00:00.000Z"],
      ["date_trunc('hour', '2024-10-27T02:30:00+01:00')", "2024-10-27T01:00:00.000Z"],
      ["date_trunc('day', '2024-03-31T12:00:00+02:00')", "2024-03-30T23:00:00.000Z"],
    ] as const)
      assert.is(valueOf(`cast(${source} as text)`, {}, zone), value, source);
    const lordHowe = (source: string) => valueOf(source, {}, "Australia/Lord_Howe");
    // At 15:00 UTC, the clock goes back from 2:00 to 1:30.
    assert.is(
      lordHowe("cast(date_trunc('hour', '2024-04-06T15:00:00Z') as text)"),
      "2024-04-06T15:00:00.000Z",
    );
    assert.is(
      lordHowe("cast(date_trunc('hour', '2024-04-06T15:15:00Z') as text)"),
      "2024-04-06T15:00:00.000Z",
    );
    assert.is(lordHowe("date_diff('hour', '2024-04-06T14:10:00Z', '2024-04-06T16:40:00Z')"), 2);
    assert.is(
      valueOf("date_diff('hour', '2024-03-31T00:30:00Z', '2024-03-31T01:30:00Z')", {}, zone),
      1,
    );
    assert.is(
      valueOf("cast(date_trunc('day', '2018-11-04T12:00:00Z') as text)", {}, "America/Sao_Paulo"),
      "2018-11-04T03:00:00.000Z",
    );
  });

  test("a formula is computed over the rows of a group", () => {
    const rows = [
      { n: 1, s: "b", w: 5 },
      { n: null, s: null, w: 3 },
      { n: 4, s: "a", w: null },
      { n: 4, s: "b", w: 9 },
    ];
    for (const [source, value] of [
      ["sum({D:n})", 9],
      ["AVG({D:n})", 3],
      ["average({D:n} * 2)", 6],
      ["min({D:n}) + max({D:n})", 5],
      ["min({D:s}) || max({D:s})", "ab"],
      ["epoch_ms(max({D:w}))", 9],
      ["count({D:n})", 3],
      ["count()", 4],
      ["COUNT(*)", 4],
      ["COUNTR()", 4],
      ["COUNTD({D:s})", 2],
      ["distinctcount({D:n})", 2],
      ["median({D:n})", 4],
      ["percentile({D:n}, 0.25)", 2.5],
      ["percentile({D:n}, 0)", 1],
      ["percentile({D:n}, 1)", 4],
      ["stddev({D:n})", Math.sqrt(3)],
      ["sum({D:n}) / count()", 2.25],
      ["round(100 * sum(if({D:s} = 'b', {D:n}, 0)) / sum({D:n}), 1)", 55.6],
      ["sum({D:n}) / (count() - 4)", null],
      ["if(count() > 3, 'many', 'few')", "many"],
      ["count(if({D:n} > 1, 1))", 2],
    ] as const)
      assert.is(formulaOf(source, rows), value, source);
    for (const [source, value] of [
      ["sum({D:n})", null],
      ["average({D:n})", null],
      ["median({D:n})", null],
      ["stddev({D:n})", null],
      ["min({D:s})", null],
      ["count({D:n}) + distinctcount({D:n}) + count()", 0],
      ["coalesce(sum({D:n}), 0)", 0],
    ] as const)
      assert.is(formulaOf(source, []), value, source);
    assert.is(formulaOf("stddev({D:n})", [{ n: 5 }]), null);
    assert.is(formulaOf("sum({D:n})", [{ n: 1e308 }, { n: 1e308 }]), null);
  });

  test("compiling fails if an expression mixes rows and aggregates", () => {
    for (const [source, kind, code, message] of [
      ["sum({D:n})", "column", "AGGREGATE", /a value per row, found the aggregate sum/],
      ["1 + min({D:n})", "column", "AGGREGATE", /write least\(…\)/],
      ["{D:n}", "formula", "AGGREGATE", /an aggregate of the column, such as sum/],
      ["sum({D:n}) + {D:n}", "formula", "AGGREGATE", /the column \{D:n\} outside an aggregate/],
      ["sum(avg({D:n}))", "formula", "AGGREGATE", /aggregates cannot be nested/],
      ["sum(1 + abs(max({D:n})))", "formula", "AGGREGATE", /found the aggregate max/],
      ["1 + 1", "formula", "AGGREGATE", /an aggregate such as sum/],
      ["sum(1)", "formula", "AGGREGATE", /a column .* inside sum, found the number 1/],
      ["sum({D:s})", "formula", "TYPE", /a number inside sum, found a string column/],
      ["median({D:w})", "formula", "TYPE", /a number inside median, found a datetime/],
      ["count({D:n} > 1)", "formula", "TYPE", /inside count, found a test/],
      ["sum({D:x})", "formula", "COLUMN_UNKNOWN", /\{D:x\}/],
      ["percentile({D:n}, 2)", "formula", "VALUE", /a constant from 0 to 1/],
      [
        "percentile({D:n}, {D:n})",
        "formula",
        "AGGREGATE",
        /the column \{D:n\} outside an aggregate/,
      ],
      ["percentile({D:n}, count())", "formula", "VALUE", /a constant from 0 to 1/],
    ] as const) {
      const refusal = refusedExpression(() => compiled(source, "UTC", kind));
      assert.is(refusal.code, `EXPRESSION_${code}`, `${source}: ${refusal.message}`);
      assert.match(refusal.message, message);
    }
  });

  test("an aggregate that occurs twice in a formula is computed once", () => {
    const { aggregates, value } = formula("sum({D:n}) / SUM( {D:n} ) + count() * countr()");
    assert.equal(
      aggregates.map(({ aggregation, of }) => [aggregation, of?.expression]),
      [
        ["sum", { kind: "column", column_id: "n" }],
        ["count", undefined],
      ],
    );
    assert.ok(JSON.stringify(value).includes('{"kind":"column","column_id":"1"}'));
  });

  test("each reference is listed once, and references inside strings are ignored", () => {
    const source = "{D:n} + {D:n} * {D:m} + length('{D:s}')";
    const references = [
      { datasetId: "D", columnId: "n" },
      { datasetId: "D", columnId: "m" },
    ];
    assert.equal(compiled(source).references, references);
    assert.equal(listReferences(source), references);
    assert.equal(formula("sum({D:n}) / max({D:m})").references, references);
    for (const name of ["constructor", "__proto__", "toString"])
      assert.is(refusedExpression(() => compiled(`{D:${name}}`)).code, "EXPRESSION_COLUMN_UNKNOWN");
  });

  test("constant expressions are computed during compilation, unless they read the clock or return strings", () => {
    const constant = (source: string) => compiled(source).value;
    assert.equal(constant("1 / 24 + abs(-1)"), {
      kind: "literal",
      type: "numeric",
      value: 1 / 24 + 1,
    });
    assert.equal(constant("date(2024, 1, 1)"), {
      kind: "literal",
      type: "datetime",
      value: "2024-01-01T00:00:00.000Z",
    });
    assert.equal(constant("1 / 0"), { kind: "literal", type: "numeric", value: null });
    for (const source of ["date_of(now())", "epoch_ms(today())", "repeat('a', 9)"])
      assert.is(constant(source).kind, "call", source);
    for (const source of ["now()", "today()", "{D:c}"])
      assert.match(
        refusedExpression(() => compiled(`1 in (epoch_ms(${source}))`)).message,
        /a constant in the list/,
      );
    assert.is(compiled("{D:c}").value.kind, "literal");
    assert.is(compiled("epoch_ms({D:c})").value.kind, "call");
    for (const [source, isDeterministic] of [
      ["date_diff('day', {D:w}, now())", false],
      ["date_diff('day', {D:w}, '2024-01-01')", true],
    ] as const)
      assert.is(compiled(source).isDeterministic, isDeterministic);
    assert.is(formula("sum(date_diff('day', {D:w}, today()))").isDeterministic, false);
  });

  test("`now` is the instant of the request, and `today` is its date in the time zone", () => {
    const value = new Date(nowMs).toISOString();
    assert.equal(compiled("now()").value, { kind: "literal", type: "datetime", value });
    assert.equal(compiled("today()", "Europe/Brussels").value, {
      kind: "literal",
      type: "datetime",
      value: "2024-02-10T00:00:00.000Z",
    });
  });

  test("a compiled expression keeps its meaning when it is written to JSON and read back", () => {
    for (const source of [
      "case {D:s} when 'a' then {D:n} in (1, null) and -0.0 = {D:m} else {D:w} > '2024-01-31' end",
      "round({D:n}, 2) / 0 + datediff('week', {D:w}, {D:d})",
    ]) {
      const { value } = compiled(source);
      assert.equal(JSON.parse(JSON.stringify(value)), value);
      assert.is(evaluate(JSON.parse(JSON.stringify(value))), evaluate(value));
    }
  });

  test("any source compiles or fails with an ExpressionError, within the time limit", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const words = [
        ...functions.map(({ name }) => `${name}(`),
        ..."( ) , + - * / % || = != < > {D:n} {D:s} {D:w} 'a' 1 0.5 1e9 null true false not and or".split(
          " ",
        ),
        ..."is in between like starts with ends case when then else end cast( as number sum( '".split(
          " ",
        ),
        "'2024-01-31'",
        "\0",
        "\ud800",
        "𝒳",
        "{",
      ];
      const kinds = ["number", "text", "datetime", "test"] as const;
      const valid = [
        ...Array.from({ length: 60 }, () => print(randomSyntax(random, 6))),
        ...Array.from({ length: 60 }, () => randomTyped(random, random.pick(kinds), 4).source),
        "sum(if({D:s} like 'a', {D:n}, 0)) / nullif(count(), 0)",
      ];
      const sources: (() => string)[] = [
        () => random.pick(valid),
        () => Array.from({ length: random.below(60) }, () => random.pick(words)).join(" "),
        () =>
          String.fromCharCode(
            ...Array.from({ length: random.below(80) }, () =>
              random.chance(0.8) ? random.below(128) : random.below(65_536),
            ),
          ),
        () => {
          const source = random.pick(valid);
          return source.slice(0, random.below(source.length + 1));
        },
        () => {
          const source = random.pick(valid);
          const at = random.below(source.length + 1);
          return source.slice(0, at) + random.pick(words) + source.slice(at + random.below(3));
        },
      ];
      let understood = 0;
      let slowestMs = 0;
      for (let round = 0; round < rounds({ quick: 800, deep: 8000 }); round++) {
        const source = random.pick(sources)();
        const kind = random.chance(0.8) ? "column" : "formula";
        const startedAt = performance.now();
        try {
          compiled(source, "Europe/Brussels", kind);
          understood += 1;
        } catch (thrown) {
          if (!(thrown instanceof ExpressionError))
            throw new Error(`${JSON.stringify(source)}: ${String(thrown)}`, { cause: thrown });
          assert.ok(Object.hasOwn(expressionErrors, thrown.code));
          assert.ok(thrown.line >= 1 && thrown.column >= 1 && thrown.expected !== "");
        }
        const took = performance.now() - startedAt;
        // A pause of the machine can make one run slow, so only a second slow run counts.
        if (took > 5)
          slowestMs = Math.max(
            slowestMs,
            againMs(() => compiled(source, "UTC", kind)),
          );
      }
      assert.ok(understood > rounds({ quick: 15, deep: 300 }), `${understood} sources compiled`);
      assert.ok(slowestMs <= 5, `${slowestMs} ms`);
    });
  });

  test("the longest and most expensive sources compile within 50 ms", () => {
    const pattern = (part: string, tail: string) =>
      part.repeat(Math.floor((10_000 - tail.length) / part.length)) + tail;
    for (const source of [
      pattern("'a' || ", "'a'"),
      `coalesce(${pattern("1,", "1")})`.slice(0, 9_999),
      `replace(replace(${"'".padEnd(3000, "a")}', 'a', '${"b".repeat(3000)}'), 'b', '${"c".repeat(3000)}')`,
      `cast('${"1".repeat(9_900)}x' as number)`,
      `cast('${" ".repeat(9_900)}x' as number)`,
      `'${"a".repeat(4_900)}' like '${"a".repeat(4_900)}b'`,
      pattern("(", ""),
      pattern("{D:n} in (", ""),
      pattern("'", ""),
      pattern("''", "'"),
      pattern("{", ""),
      pattern("1e", ""),
      `date_of('${"2".repeat(9_900)}')`,
    ])
      assert.ok(againMs(() => compiled(source)) <= 50, source.slice(0, 40));
  });
});

/**
 * Returns the shortest processor time of five runs. Ignores the results of the runs. Taking the shortest time excludes
 * the effect of other work on the machine.
 */
function againMs(run: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    try {
      run();
    } catch (thrown) {
      if (!(thrown instanceof ExpressionError)) throw thrown;
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  });
  return Math.min(...times);
}
