import * as assert from "uvu/assert";
import { PluginError } from "../../../plugins/protocol/index.ts";
import { cell, parseStatement, statementFragment } from "../../../plugins/sql/index.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

function refusalOf(text: string): string {
  try {
    parseStatement(text);
  } catch (failure) {
    if (failure instanceof PluginError && failure.code === "PLUGIN_INVALID") return failure.message;
    throw failure;
  }
  throw new Error(`${JSON.stringify(text)} was accepted`);
}

suite("plugins/sql/parseStatement", (test) => {
  for (const text of [
    "select 1",
    "SELECT a, count(*) FROM t GROUP BY a",
    "with x as (select 1) select * from x",
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 5) select i from n",
    "(select 1) union all (select 2)",
    "select 'it''s; drop table x' as a, \"odd ; name\" from `t`",
    "select replace(a, 'x', 'y'), upper(replace(b, 'x', 'y')) from t",
    "select a::text, b @> '{1}' from t where c <> 4 and d >= 1.5e-3",
    "select f[1], array['a', 'b'] from t order by g(a) fetch first 5 rows only",
    "select \"update\", t.delete from t as insert_log where a = 'C:\\temp' and b = '\\\\'",
    "select 'été', 数 from 表",
    "select case when a then b else c end from t where exists (select 1 from u)",
    "select u & 1, u&v from t",
    "select max(start), upper(comment), sum(load - 1), avg(lock / 2) from t group by (show), (set)",
    "select cast(start as date), coalesce(comment, 'none') from t where (comment is null) or (start in (1, 2))",
    "select string_agg(comment order by a), max(start::date) from t where (start.a = 1) and (use like 'x')",
    "select count(*) filter (where a is not null) over (partition by b) from t",
  ])
    test(`a single SQL statement that only reads is accepted: ${text}`, () => {
      assert.equal(parseStatement(text), [text]);
    });

  test("parsing an SQL statement removes comments, line ends and a final semicolon, but changes no strings", () => {
    assert.equal(parseStatement("select -- a ) ; comment\n 1 /* ( '*/ + 2 ;\n"), [
      "select   1   + 2",
    ]);
    for (const end of [";", "; -- the end", ";\n/* the */ -- end\n", " -- the end", "/* ; */"])
      assert.equal(parseStatement(`with x as (select 1) select * from x${end}`), [
        "with x as (select 1) select * from x",
      ]);
    assert.equal(parseStatement("select '-- no /* comment */;'"), [
      "select '-- no /* comment */;'",
    ]);
  });

  for (const [text, reason] of [
    ["", /nothing/],
    ["   -- only a comment", /nothing/],
    ["select 1; drop table x", /";" .*single statement/],
    ["select 1;;", /single statement/],
    ["select 1; -- end\n drop table x", /single statement/],
    ["select 1; /* end */ ;", /single statement/],
    ["select 1; --end", /single statement/],
    ["drop table x", /"drop".*begin it with select/],
    ["insert into t values (1)", /"insert"/],
    ["values (1)", /"values"/],
    ["explain select 1", /"explain"/],
    ["with x as (insert into t values (1) returning a) select a from x", /"insert".*only reads/],
    ["with x as (select 1) delete from t", /"delete".*only reads/],
    ["with x as materialized (update t set a = 1 returning a) select a from x", /"update"/],
    ["with x as (/* ( */ delete from t returning a) select a from x", /"delete"/],
    ["select a from (show tables)", /"show".*only reads/],
    ["select a from (describe t)", /"describe"/],
    ["select a from (load 'x')", /"load"/],
    ["with x as (update only t set a = 1 returning a) select a from x", /"update"/],
    ["with x as (select 1) delete, a", /"delete"/],
    ["select * into y from x", /"into"/],
    ["select * from t into outfile '/tmp/x'", /"into"/],
    ["select * from t for update", /for update.*cannot lock rows/],
    ["select * from t for no key update", /for no/],
    ["select pg_sleep(10)", /a call to pg_sleep/],
    ["select pg_sleep /* a */ (10)", /a call to pg_sleep/],
    ['select pg_catalog."pg_sleep"(10)', /a call to pg_sleep/],
    ["select SLEEP (10)", /a call to SLEEP/],
    ["select load_file('/etc/passwd')", /a call to load_file/],
    ["select * from url('http://10.0.0.1', CSV)", /a call to url/],
    ["select * from read_csv_auto('/etc/passwd')", /a call to read_csv_auto/],
    ["select lo_import('/etc/passwd')", /lo_import/],
    ["select set_config('role', 'postgres', false)", /set_config/],
    ['select U&"pg_sl\\0065ep"(10)', /a Unicode escape.*without U&/],
    ["select u&\"d!0061ta\" uescape '!' from t", /a Unicode escape/],
    ["select U&'\\0041'", /a Unicode escape/],
    ['select a from U&"t"', /a Unicode escape/],
    ["select $$ ' $$", /"\$".*single quotes/],
    ["select $tag$ ; drop table x $tag$", /"\$"/],
    ["select $1", /"\$"/],
    ["select ?", /"\?".*\{\{name\}\}/],
    ["select :name", /":"/],
    ["select @@version", /"@"/],
    ["select @a := 1", /"@"/],
    ["select {p:String}", /"\{"/],
    ["select 1 # ) comment", /"#"/],
    ["select 'a\\' , 'b' from t", /backslash before a quote/],
    ['select "a\\" from t', /backslash before a quote/],
    ["select 'a", /close the quote/],
    ['select "a', /close the quote/],
    ["select `a", /close the quote/],
    ["select 1) q; drop table x; select (2", /"\)" without an opening one/],
    ["select (1", /bracket that is not closed/],
    ["select (1]", /without an opening one/],
    ["select 1 --x", /comment must begin with -- and a space/],
    ["select 1 /*! union select 2 */", /comment/],
    ["select 1 /*M! union select 2 */", /comment/],
    ["select /*+ hint */ 1", /hints/],
    ["select 1 /* a /* b */ c */", /comment/],
    ["select 1 /* not closed", /comment/],
    ["select 1 \u0000", /NUL/],
    ["select 'a\u0000b'", /NUL/],
    [`select ${"1 + ".repeat(40_000)} 1`, /too many/],
  ] as const)
    test(`an SQL statement that is not a single safe read is refused: ${JSON.stringify(text.slice(0, 70))}`, () => {
      const message = refusalOf(text);
      assert.match(message, reason);
      assert.ok(message.length < 400);
    });

  test("parameters of an SQL statement are bound as values and never become part of its text", () => {
    const parameters = {
      tenant: { type: "hierarchy", value: "'; drop table x; --" },
      years: { type: "numeric", value: [2024, null, 2026] },
      none: { type: "hierarchy", value: [] },
    } as const;
    const { parts } = statementFragment({
      text: "select * from t where a = {{ metadata.tenant }} and b in ({{years}}) and c in ({{none}}) and d = '{{tenant}}'",
      parameters,
    });
    assert.equal(parts, [
      "select * from t where a = ",
      cell("hierarchy", "'; drop table x; --"),
      " and b in (",
      cell("numeric", 2024),
      ", ",
      cell("numeric", null),
      ", ",
      cell("numeric", 2026),
      ") and c in (",
      cell("hierarchy", null),
      ") and d = '{{tenant}}'",
    ]);
    assert.throws(
      () => statementFragment({ text: "select {{other}}", parameters }),
      /parameter "other", which is not declared/,
    );
    const many = { type: "numeric", value: Array.from({ length: 1001 }, () => 1) } as const;
    assert.throws(
      () => statementFragment({ text: "select {{many}}", parameters: { many } }),
      /not 1001/,
    );
  });

  test("an accepted SQL statement has balanced parentheses and contains no second statement", async () => {
    const random = createRandom();
    const pieces =
      "select|with|from|(|)|'|''|\"|`|--|-- |\n|/*|*/|;|\\|$$|{{a}}|insert|x|1|,|[|]|#|E'|::|@|?".split(
        "|",
      );
    let acceptedCount = 0;
    await withSeed(random, async () => {
      for (let round = 0; round < 4000; round++) {
        const length = 1 + random.below(10);
        const text = `select ${Array.from({ length }, () => random.pick(pieces)).join(" ")}`;
        let parts;
        try {
          parts = parseStatement(text);
        } catch (failure) {
          if (failure instanceof PluginError) continue;
          throw failure;
        }
        acceptedCount += 1;
        const bare = parts
          .map((part) => (typeof part === "string" ? part : "p"))
          .join("")
          .replaceAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`/g, "q");
        assert.not.match(bare, /[;'"`$?#\\]|--|\/\*|\*\//, text);
        let depth = 0;
        for (const sign of bare) {
          depth += sign === "(" ? 1 : sign === ")" ? -1 : 0;
          assert.ok(depth >= 0, text);
        }
        assert.is(depth, 0, text);
      }
    });
    assert.ok(acceptedCount > 100);
  });
});
