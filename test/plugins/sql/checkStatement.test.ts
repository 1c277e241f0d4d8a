import * as assert from "uvu/assert";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { checkStatement, parseStatement, type StatementRules } from "../../../plugins/sql/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const rules: StatementRules = {
  database: "Testbase",
  isFunction: (name) => ["good", "range", "materialized"].includes(name),
  nameQuotes: '"`',
  hasEscapes: true,
  systemSchemas: { catalog: ["tables"] },
  systemTables: /^own_/,
  refused: [
    [["settings"], "remove it"],
    [["lock", "in"], "a dataset cannot lock rows"],
  ],
};

const fills: Partial<StatementRules> = { isFunction: (name) => name === "interpolate" };

function refusalOf(text: string, more: Partial<StatementRules> = {}): string | undefined {
  try {
    checkStatement(parseStatement(text), { ...rules, ...more });
    return undefined;
  } catch (failure) {
    if (failure instanceof PluginError && failure.code === "PLUGIN_INVALID") return failure.message;
    throw failure;
  }
}

suite("plugins/sql/checkStatement", (test) => {
  for (const text of [
    'select good(a), GOOD (b), "good"(c), `Good`(d) from t where a in (1, 2) and (b = 1)',
    "select good(a as decimal(9, 2)), a::varchar(20) from t",
    "with x(a, b) as (select 1, 2), y (c) as not materialized (select 3) select * from x, y",
    "with recursive x(a) as (select 1) select * from x",
    "select t.a from range(3) t(a) join (select 1) as u(b) on (t.a = u.b)",
    "select good(day from '2024-01-01'), a is distinct from 'x' from t",
    "select settings.a, t.settings, good(1) as settings from t as settings",
    "select lock, a from catalog.tables where \"it's good\" = 'bad(1)'",
    "select good(good(a), (select max_ from t)) from t group by (a) having (a > 1) order by (a) limit (1)",
    "select {{p}}, good({{p}}) from t where a in ({{p}})",
    "with (select 1) as a, x(b) as materialized (with y as (select 2) select * from y) select a, b from x",
    "select u.a from t, lateral (select 1) as v, good(1) u(a), (values (1)) w(a)",
  ])
    test(`an SQL statement that uses only listed names is accepted: ${text}`, () => {
      assert.is(refusalOf(text), undefined);
    });

  test("square brackets around names are accepted if the database quotes names with them", () => {
    const text = "select [a b], t.[c], [good](1) from [odd name] as t";
    assert.is(refusalOf(text, { squareBrackets: "name" }), undefined);
  });

  for (const [text, reason, more] of [
    ["select bad(1)", /a call to bad; .*Testbase.*view/],
    ["select BaD (1)", /a call to BaD/],
    ['select "bad"(1)', /a call to "bad"/],
    ["select `bad`(1)", /a call to `bad`/],
    ['select "b""ad"(1)', /a call to/],
    ["select /* a */ bad /* b */ (1)", /a call to bad/],
    ["select in_(1), `in`(1)", /a call to in_/],
    ["select `in`(1)", /a call to `in`/],
    ["select s.good(1)", /a call to good in a schema/],
    ["select a.bad(1)", /a call to bad/, { callsAfterDot: true }],
    ["select (bad)(1)", /"\)\("/],
    ["select (bad)(1)", /"\)\("/, { callsTwice: true }],
    ["select good(1)(bad(2))", /a call to bad/, { callsTwice: true }],
    ["select 'bad'(1)", /parenthesis after/],
    ["select [bad](1)", /"\["/],
    ["select [bad](1)", /parenthesis after/, { squareBrackets: "array" }],
    ["select [bad](1)", /a call to \[bad\]/, { squareBrackets: "name" }],
    ["select [a'b](bad(1), '')", /close the quote/, { squareBrackets: "name" }],
    ["select * from [catalog].users", /schemas/, { squareBrackets: "name" }],
    ['select ")" bad(x) from t', /a call to bad/],
    ['select "::" bad(1)', /a call to bad/],
    ['select "as" bad(1)', /a call to bad/],
    ["select a.as bad(1)", /a call to bad/],
    ["with bad(1) as x select x", /a call to bad/],
    ["with bad(a) as x select x", /a call to bad/],
    ["select 1, bad(a) as x", /a call to bad/],
    ["select 1, bad(a) as materialized from t", /a call to bad/],
    ["select 1, bad(a) as not from t", /a call to bad/],
    ["select 1 from t, bad(a) as materialized (x)", /a call to bad/],
    ["with 1 as a, bad(a) as materialized select a", /a call to bad/],
    ["select distinct on (a) bad(a) from t", /a call to bad/],
    ["select distinct on (good(a)) bad(a, b) from t", /a call to bad/],
    ["select distinct on ((select 1)) bad(a) from t", /a call to bad/],
    ["select good(1) bad(a) from t", /a call to bad/],
    ["select (1) bad(a) from t", /a call to bad/],
    ["select a from t order by a with fill interpolate (b as bad(1))", /a call to bad/, fills],
    ["select a from t order by a with fill interpolate (b as bad(a))", /a call to bad/, fills],
    ['select a from t order by a interpolate (b as 1, c as "bad" (a))', /a call to "bad"/, fills],
    ["select (1) bad(1)", /a call to bad/],
    ["select 1 from t bad(a)", /a call to bad/],
    ["select 1 where exists (select bad(1))", /a call to bad/],
    ["select case when bad(1) then bad(2) end", /a call to bad/],
    ["select * from catalog.users", /catalog.users; .*catalog\.tables/],
    ['select * from "catalog" . "users"', /schemas of Testbase/],
    ["select * from CATALOG.users", /schemas/],
    ["select * from cátalog.users", /schemas/],
    ["select * from catalog.catalog.users", /schemas/],
    ["select * from own_settings", /system tables of Testbase/],
    ['select * from "OWN_settings"', /system tables of Testbase/],
    ["select 1 settings a = 1", /settings; remove it/],
    ["select 1 SETTINGS a = 1", /settings; remove it/],
    ["select a from t lock in share mode", /lock in; a dataset cannot lock rows/],
    ["select * from 'file'", /where a table is expected/],
    ["select good((select a from 'file'))", /where a table is expected/],
    ["select good(select a from 'file')", /where a table is expected/],
    ["select good(from 'file')", /where a table is expected/],
    ["select * from t join 'file' on (1)", /where a table is expected/],
    ['select "a\\x41" from t', /with a backslash/],
    ["select `a` from t", /quotes names with "/, { nameQuotes: '"' }],
    ['select * from "t"', /where a table is expected/, { nameQuotes: "`", stringQuotes: '"' }],
  ] as const)
    test(`an SQL statement that the rules do not allow is refused: ${text}${more ? ` with ${JSON.stringify(more)}` : ""}`, () => {
      const found = refusalOf(text, more);
      assert.match(String(found), reason);
    });

  test("a function call that is not listed is refused, wherever it occurs and however it is quoted", async () => {
    const random = createRandom();
    const pieces =
      "select|from|where|(|)|,|as|with|x|a|.|good(|distinct on (|materialized|interpolate (|'t'|\"q\"|`q`|1|=|and|in|over|join|on|{{p}}|::|case|when|then|end|not".split(
        "|",
      );
    let acceptedCount = 0;
    await withSeed(random, async () => {
      for (let round = 0; round < 6000; round++) {
        const words = Array.from({ length: 1 + random.below(9) }, () => random.pick(pieces));
        const call = random.pick(["bad(1)", '"bad" (1)', "`Bad`(1, 2)", "BAD(a + 1)", "bad(a)"]);
        const at = random.below(words.length + 1);
        const text = `select ${[...words.slice(0, at), call, ...words.slice(at)].join(" ")}`;
        let refused: string | undefined;
        try {
          refused = refusalOf(text);
        } catch {
          continue;
        }
        if (refused !== undefined) continue;
        acceptedCount += 1;
        // Databases never call a name after `as` or in a cast, nor the name of a table in `from` or of the table's
        // columns.
        assert.match(text.toLowerCase(), /(?:\bas|::) +["`]?bad|\bfrom\b.*\) +bad\(a\)/, text);
      }
    });
    assert.ok(acceptedCount > 0);
  });
});
