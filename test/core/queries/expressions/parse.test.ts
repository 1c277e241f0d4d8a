import * as assert from "uvu/assert";
import { limits } from "../../../../core/queries/expressions/limits.ts";
import { parse } from "../../../../core/queries/expressions/parse.ts";
import { print } from "../../../../core/queries/expressions/print.ts";
import type { Syntax } from "../../../../core/queries/expressions/syntax.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { randomSyntax } from "./randomSyntax.ts";
import { refusedExpression } from "./refusedExpression.ts";

/** Returns a syntax tree without its positions. */
const shape = (syntax: Syntax): unknown =>
  JSON.parse(JSON.stringify(syntax, (key, value: unknown) => (key === "at" ? undefined : value)));

suite("core/queries/expressions/parse", (test) => {
  test("operators bind in the order `or`, `and`, `not`, tests, `||`, sums, products, signs, loosest first", () => {
    for (const [source, explicit] of [
      ["1 + 2 * 3", "1 + (2 * 3)"],
      ["1 - 2 - 3", "(1 - 2) - 3"],
      ["8 / 4 % 3 * 2", "((8 / 4) % 3) * 2"],
      ["-1 * 2", "(-1) * 2"],
      ["- -1", "-(-1)"],
      ["2 - -1", "2 - (-1)"],
      ["1--1", "1 - (-1)"],
      ["'a' || 'b' || 1 + 2", "'a' || 'b' || (1 + 2)"],
      ["1 + 2 = 3", "(1 + 2) = 3"],
      ["'a' || 'b' = 'ab'", "('a' || 'b') = 'ab'"],
      ["not 1 = 2 and 3 = 3", "(not (1 = 2)) and (3 = 3)"],
      ["not not true", "not (not true)"],
      ["true or false and true", "true or (false and true)"],
      ["true and false or true", "(true and false) or true"],
      ["1 between 0 and 2 and true", "(1 between 0 and 2) and true"],
      ["1 between 0 + 1 and 2 * 3", "1 between (0 + 1) and (2 * 3)"],
      ["1 in (1, 2) or 1 is not null", "(1 in (1, 2)) or (1 is not null)"],
      ["'a' not like 'b' and true", "('a' not like 'b') and true"],
      ["case when true then 1 else 2 end + 1", "(case when true then 1 else 2 end) + 1"],
    ] as const)
      assert.equal(shape(parse(source)), shape(parse(explicit)), source);
  });

  test("the parser accepts every spelling of keywords, quotes, inequality signs, casts and count(*)", () => {
    for (const [source, same] of [
      ["NOT True OR {D:c} IS NOT NULL", "not true or {D:c} is not null"],
      ['"it\'s" || "say ""hi"""', "'it''s' || 'say \"hi\"'"],
      ["1 <> 2", "1 != 2"],
      ["CAST({D:c}, hierarchy)", "cast({D:c} as text)"],
      ["cast({D:c}, numeric)", "cast({D:c} as number)"],
      ["COUNT(*)", "count()"],
      ["{ D : c }", "{D:c}"],
      [".5 + 1. + 1E3", "0.5 + 1 + 1000"],
      ["1\n+\t\u00a0\u200b\ufeff2", "1 + 2"],
      ["'a' STARTS  WITH 'b'", "'a' starts with 'b'"],
    ] as const)
      assert.equal(shape(parse(source)), shape(parse(same)), source);
  });

  test("printing keeps parentheses that group a chain of the same operator", () => {
    assert.is(print(parse("(true and false) and true")), "(true and false) and true");
    assert.is(print(parse("((1)) + ((2 * 3))")), "1 + 2 * 3");
    assert.is(print(parse("1 - (2 - 3)")), "1 - (2 - 3)");
  });

  test("printing a random tree and parsing the result gives the same tree", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 300, deep: 3000 }); round++) {
        const syntax = randomSyntax(random, 1 + random.below(7));
        const source = print(syntax);
        if (source.length > limits.sourceLength) continue;
        assert.equal(shape(parse(source)), shape(syntax), source);
        assert.is(print(parse(source)), source);
      }
    });
  });

  test("a syntax error names the line, the column and the expected syntax", () => {
    for (const [source, code, line, column, message] of [
      ["", "SYNTAX", 1, 1, /expected a value, found the end/],
      ["1 +", "SYNTAX", 1, 4, /expected a value after \+, found the end of the expression/],
      ["1 + * 2", "SYNTAX", 1, 5, /expected a value after \+, found \*/],
      ["1 2", "SYNTAX", 1, 3, /an operator after the number 1, or the end .* the number 2/],
      ["(1", "SYNTAX", 1, 3, /expected an operator or \), found the end/],
      ["1)", "SYNTAX", 1, 2, /found \)/],
      ["round(1", "SYNTAX", 1, 8, /a comma or \)/],
      ["round(1,)", "SYNTAX", 1, 9, /a value after ,, found \)/],
      ["round", "SYNTAX", 1, 1, /write a column as \{dataset id:column id\}/],
      ["1 ==\n2", "SYNTAX", 1, 4, /equality is =/],
      ["1\n  < 2\n  < 3", "SYNTAX", 3, 3, /write a < b and b < c/],
      ["1 < 2 is null", "SYNTAX", 1, 7, /tests cannot be chained/],
      ["1 not 2", "SYNTAX", 1, 7, /in, between, like, starts with or ends with after not/],
      ["1 is 2", "SYNTAX", 1, 6, /null after is, found the number 2/],
      ["1 in 2", "SYNTAX", 1, 6, /\( after in/],
      ["1 in ()", "SYNTAX", 1, 7, /a value after \(, found \)/],
      ["1 between 2 or 3", "SYNTAX", 1, 13, /and between the two bounds/],
      ["'a' starts 'b'", "SYNTAX", 1, 12, /with after starts, found the string 'b'/],
      ["1 + not true", "SYNTAX", 1, 5, /put parentheses around not \(…\)/],
      ["case 1 end", "SYNTAX", 1, 8, /when after case/],
      ["case when true 1", "SYNTAX", 1, 16, /then after the test/],
      ["case when true then 1", "SYNTAX", 1, 22, /when, else or the end of the case/],
      ["case when true then 1 else 2", "SYNTAX", 1, 29, /end of the case/],
      ["cast(1)", "SYNTAX", 1, 7, /as and a type/],
      [
        "cast(1 as int)",
        "SYNTAX",
        1,
        11,
        /number, numeric, text, hierarchy, datetime, date, found/,
      ],
      ["cast(1 as text, 2)", "SYNTAX", 1, 15, /at the end of cast/],
      ["{D}", "SYNTAX", 1, 1, /a reference such as \{dataset id:column id\}, found "\{D\}"/],
      ["{D:}", "SYNTAX", 1, 1, /a reference such as/],
      ["{a:b:c}", "SYNTAX", 1, 1, /a reference such as/],
      ["1 + {D:c", "UNCLOSED", 1, 5, /\} at the end of the reference/],
      ["'𝒳' || 'it's'", "UNCLOSED", 1, 13, /write ' inside a string twice/],
      ["1 ^ 2", "CHARACTER", 1, 3, /write power\(x, y\)/],
      ["“a”", "CHARACTER", 1, 1, /straight quotes/],
      ["1 \u202e+ 2", "CHARACTER", 1, 3, /found "U\+202E"/],
      ["'\ud800'", "CHARACTER", 1, 2, /half a surrogate pair/],
      ["'a\0'", "CHARACTER", 1, 3, /NUL/],
      ["1x", "NUMBER", 1, 1, /a number such as 12, 0\.5 or 1e6, found "1x"/],
      ["1.2.3", "NUMBER", 1, 1, /found "1\.2\."/],
      ["1e999", "NUMBER", 1, 1, /a number such as/],
      ["1_000", "NUMBER", 1, 1, /found "1_000"/],
    ] as const) {
      const refusal = refusedExpression(() => parse(source));
      assert.is(refusal.code, `EXPRESSION_${code}`, source);
      assert.match(refusal.message, message);
      assert.equal([refusal.line, refusal.column], [line, column], source);
      assert.ok(refusal.message.startsWith(`line ${line}, column ${column}: expected `), source);
      assert.ok(refusal.message.includes(refusal.expected) && refusal.expected !== "", source);
    }
  });

  test("a source that is too long, too deep or too large is rejected, and a source at each limit is accepted", () => {
    const { sourceLength, depth, nodeCount } = limits;
    const codeOf = (source: string) => refusedExpression(() => parse(source)).code;
    assert.ok(parse(`1${" ".repeat(sourceLength - 1)}`));
    assert.is(codeOf(`1${" ".repeat(sourceLength)}`), "EXPRESSION_TOO_LONG");
    assert.ok(parse(`${"(".repeat(depth)}1${")".repeat(depth)}`));
    for (const deep of [
      `${"(".repeat(depth + 1)}1${")".repeat(depth + 1)}`,
      "(".repeat(sourceLength),
      "-".repeat(sourceLength),
      `${"not ".repeat(2000)}true`,
      "abs(".repeat(2000),
      "case when ".repeat(900),
      "1 in (".repeat(1000),
      "cast(".repeat(1000),
      `1${"+1".repeat(depth)}`,
    ])
      assert.is(codeOf(deep), "EXPRESSION_TOO_DEEP", deep.slice(0, 20));
    assert.ok(parse(`1${"+1".repeat(depth - 1)}`));
    const chained = (count: number) => Array.from({ length: count }, () => "true").join(" or ");
    assert.ok(parse(chained(nodeCount - 1)));
    assert.is(codeOf(chained(nodeCount)), "EXPRESSION_TOO_LARGE");
  });
});
