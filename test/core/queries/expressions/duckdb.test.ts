import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import type { Value } from "../../../../plugins/meanings/value.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { valueOf } from "./compiled.ts";
import { macros, randomTyped, type Twin } from "./randomTyped.ts";

interface Row {
  readonly n: number | null;
  readonly m: number | null;
  readonly s: string | null;
  readonly t: string | null;
  readonly w: number | null;
  readonly v: number | null;
}

function randomRow(random: Random): Row {
  const maybe = <Cell>(cell: Cell): Cell | null => (random.chance(0.15) ? null : cell);
  const number = () => maybe(random.pick([0, 1, -1, 2.5, -2.5, 0.1, 1e9, random.below(1000) / 8]));
  const text = () => maybe(random.pick(["", "a", "A", "ab", "Ghent", "a,b", "𝒳a", "é", " a "]));
  const instant = () =>
    maybe(
      random.pick([0, -1, Date.UTC(2024, 0, 31, 23, 59, 59, 999), Date.UTC(2024, 11, 30)]) +
        random.below(3) * 86_400_000,
    );
  return { n: number(), m: number(), s: text(), t: text(), w: instant(), v: instant() };
}

const literal = (value: Value, type: string) => {
  if (value === null) return `null::${type}`;
  if (type === "timestamp") return `epoch_ms(${String(value)})`;
  return typeof value === "string"
    ? `'${value.replaceAll("'", "''")}'`
    : `${String(value)}::double`;
};

async function fill(connection: DuckDBConnection, rows: readonly Row[]): Promise<void> {
  const values = rows.map(
    ({ n, m, s, t, w, v }, row) =>
      `(${row}, ${literal(n, "double")}, ${literal(m, "double")}, ${literal(s, "varchar")}, ${literal(t, "varchar")}, ${literal(w, "timestamp")}, ${literal(v, "timestamp")})`,
  );
  await connection.run(
    `create or replace table rows as select * from (values ${values.join(", ")}) as x(row, n, m, s, t, w, v)`,
  );
}

suite("core/queries/expressions/duckdb", (test) => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  test.before(async () => {
    instance = await DuckDBInstance.create(":memory:");
    connection = await instance.connect();
    for (const macro of macros) await connection.run(macro);
  });
  test.after(() => {
    connection.closeSync();
    instance.closeSync();
  });

  async function answersOf({ source, sql }: Twin, kind: string): Promise<readonly unknown[]> {
    const value = kind === "datetime" ? `epoch_ms(${sql})::double` : sql;
    const reader = await connection
      .runAndReadAll(`select ${value} from rows order by row`)
      .catch((cause: unknown) => {
        throw new Error(`${source}\n${sql}\n${String(cause)}`, { cause });
      });
    return reader.getRows().map(([cell]) => (typeof cell === "number" ? cell + 0 : cell));
  }

  test("random expressions give the same values as their SQL equivalents in DuckDB", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const rows = Array.from({ length: 25 }, () => randomRow(random));
      await fill(connection, rows);
      let valueCount = 0;
      for (let round = 0; round < rounds({ quick: 40, deep: 500 }); round++) {
        const kind = random.pick(["number", "text", "datetime", "test"] as const);
        const twin = randomTyped(random, kind, 2 + random.below(3));
        const source = kind === "test" ? `if(${twin.source}, 1, 0)` : twin.source;
        const sql = kind === "test" ? `case when ${twin.sql} then 1 else 0 end` : twin.sql;
        const expected = await answersOf({ source, sql }, kind);
        const found = rows.map((row) => valueOf(source, { ...row }));
        rows.forEach((row, index) =>
          assert.is(
            found[index],
            expected[index],
            `${source}\n${sql}\n${JSON.stringify(row)}: ours ${String(found[index])}, DuckDB's ${String(expected[index])}`,
          ),
        );
        valueCount += found.filter((value) => value !== null).length;
      }
      assert.ok(
        valueCount > rounds({ quick: 120, deep: 3000 }),
        `${valueCount} values were compared`,
      );
    });
  });
});
