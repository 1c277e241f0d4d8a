import * as assert from "uvu/assert";
import { readStatementNames } from "../../../connectors/postgres/readStatementNames.ts";
import { parseStatement } from "../../../plugins/sql/index.ts";
import { rounds } from "../../support/layer.ts";
import { openPostgresDatabase } from "../../support/postgresDatabase.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const read = (text: string) => readStatementNames(parseStatement(text).join(""));

/** Writes a name in one of the spellings that PostgreSQL decodes to this name. */
function spell(name: string, random: Random): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(name);
  if (!isPlain || random.below(2) === 0) return `"${name.replaceAll('"', '""')}"`;
  return [...name].map((each) => (random.below(2) === 0 ? each.toUpperCase() : each)).join("");
}

const gaps = ["", " ", "\n", "\t", "/* a */", " -- a (\n", "\u00a0", "/**/ /* ' */"];

suite("connectors/postgres/readStatementNames", (test) => {
  test("every function call in an SQL statement is found, however the function's name is spelled", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 300, deep: 5000 }); round++) {
        const name = random.pick(["pg_read_file", "set_config", "crosstab", 'odd "name', "Été"]);
        const schema = random.pick([undefined, "pg_catalog", "Odd Schema"]);
        const gap = () => random.pick(gaps);
        const prefix = schema === undefined ? "" : `${spell(schema, random)}${gap()}.${gap()}`;
        const call = `${prefix}${spell(name, random)}${gap()}(1)`;
        const text = random.pick([
          `select ${call} as x`,
          `select 1 + ${call} from t`,
          `select x from t, lateral ${call} x`,
          `with a as (select ${call}) select 1 from a`,
          `select coalesce(null, ${call}) from t order by 1`,
        ]);
        let calls;
        try {
          ({ calls } = read(text));
        } catch (failure) {
          // The list of names for all dialects already refuses some of these names.
          assert.match(String(failure), "not available in datasets", text);
          continue;
        }
        const found = calls.some((each) => each.name === name && each.schema === (schema ?? ""));
        assert.ok(found, `${text} calls ${JSON.stringify(calls)}`);
      }
    });
  });

  test("names in SQL statements are decoded as PostgreSQL decodes them", async () => {
    const random = createRandom();
    const database = await openPostgresDatabase();
    try {
      await withSeed(random, async () => {
        const pieces = [
          "a",
          "Z",
          "_",
          "9",
          "é",
          "É",
          "数",
          "ß",
          "İ",
          "a".repeat(30),
          "é".repeat(20),
        ];
        const draw = () =>
          Array.from({ length: 1 + random.below(5) }, () => random.pick(pieces)).join("");
        const names = Array.from({ length: 200 }, () => {
          const quoted = `"${draw()}${random.pick(["", '""', " ", ".", "("])}${draw()}"`;
          return random.below(2) === 0 ? quoted : `x${draw()}`;
        });
        const selects = names.map(
          (name, index) =>
            `select ${index} as place, (select key from json_each(row_to_json(s))) as key from (select 1 as ${name}) s`,
        );
        const rows = await database.run(`${selects.join(" union all ")} order by place`);
        names.forEach((name, index) => {
          const [, decoded] = rows[index] ?? [];
          const found = read(`select ${name}(1) from t`).calls.map((call) => call.name);
          assert.ok(
            found.includes(String(decoded)),
            `${name} is ${String(decoded)}, not ${found.join()}`,
          );
        });
      });
    } finally {
      await database.close();
    }
  });

  test("a name after a dot is treated as a possible function that is called on the row", () => {
    assert.equal(read('select t.note, (t)."Other", t.* from s.t').members, ["note", "Other", "t"]);
  });

  test("every part of a sequence of operator characters is treated as a possible operator", () => {
    const { operators } = read("select a <=-1, b like 'x' from t");
    for (const each of ["<=", "<=-", "-", "=-", "~~"]) assert.ok(operators.has(each), each);
  });
});
