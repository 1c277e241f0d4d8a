import pg from "pg";
import * as assert from "uvu/assert";
import { Portal } from "../../../connectors/postgres/portal.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { suite } from "../../support/suite.ts";

suite("connectors/postgres/portal", (test) => {
  let database: PostgresDatabase;
  let client: pg.Client;
  test.before(async () => {
    database = await openPostgresDatabase();
    const { host, port, user, password } = database.server;
    client = new pg.Client({ host, port, user, password, database: database.database });
    await client.connect();
  });
  test.after(async () => {
    await client.end();
    await database.close();
  });
  const numbers = (count: number) => ({
    text: "select i, null from generate_series(1, $1::int) i",
    values: [count],
  });
  const answersAgain = async () => {
    const { rows } = await client.query<{ one: number }>("select 1 as one");
    assert.equal(rows, [{ one: 1 }]);
  };

  test("rows arrive in blocks, and only the last block is marked as the last", async () => {
    for (const count of [0, 1, 3, 4, 10]) {
      const portal = client.query(new Portal(numbers(count), 3));
      const blocks: number[] = [];
      const seen: unknown[] = [];
      for (;;) {
        const { rows, isLast } = await portal.block;
        blocks.push(rows.length);
        seen.push(...rows);
        if (isLast) break;
        portal.request(5);
      }
      assert.equal(
        seen,
        Array.from({ length: count }, (_, index) => [String(index + 1), null]),
      );
      assert.ok(blocks[0]! <= 3, String(blocks));
      await answersAgain();
    }
  });

  test("closing an SQL statement early frees the connection, even while a block arrives", async () => {
    for (const isRequested of [false, true]) {
      const portal = client.query(new Portal(numbers(1e6), 2));
      await portal.block;
      if (isRequested) portal.request(1000);
      await portal.close();
      await answersAgain();
    }
  });

  test("if an SQL statement fails while rows arrive, its connection can be used again", async () => {
    const text = "select 10 / (5 - i) from generate_series(1, 10) i";
    const portal = client.query(new Portal({ text, values: [] }, 3));
    assert.is((await portal.block).rows.length, 3);
    portal.request(5);
    const failure = await portal.block.catch((thrown: unknown) => thrown);
    assert.is((failure as { readonly code?: string }).code, "22012");
    await portal.close();
    await answersAgain();
  });

  test("SQL statements of one transaction can run one after another on one connection", async () => {
    await client.query("begin isolation level repeatable read read only");
    for (let round = 0; round < 3; round++) {
      const portal = client.query(new Portal(numbers(2), 10));
      assert.is((await portal.block).rows.length, 2);
    }
    await client.query("commit");
    await answersAgain();
  });

  test("parameters reach the server unchanged, as single values and in lists", async () => {
    const texts = ["", "a", '"', "\\", '\\"', "{", "}", ",", "null", "NULL", "'; --", "é😀", " "];
    const text = "select $1::text[], $2::float8[], $3::text, array_length($4::text[], 1)";
    const values = [texts, [1.5, -2, 1e300], "x", []];
    const { block } = client.query(new Portal({ text, values }, 3));
    const [row] = (await block).rows;
    const { rows } = await client.query({
      text: "select $1::text::text[]",
      values: [row?.[0]],
      rowMode: "array",
    });
    assert.equal(rows, [[texts]]);
    assert.equal(row?.slice(1), ["{1.5,-2,1e+300}", "x", null]);
  });
});
