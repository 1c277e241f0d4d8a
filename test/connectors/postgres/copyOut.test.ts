import pg from "pg";
import * as assert from "uvu/assert";
import { CopyOut } from "../../../connectors/postgres/copyOut.ts";
import { BinaryRows } from "../../../connectors/postgres/binaryRows.ts";
import { TextColumn } from "../../../connectors/postgres/textColumn.ts";
import { open } from "../../../connectors/postgres/index.ts";
import { rowsOfBatch, type Plugin } from "../../../plugins/protocol/index.ts";
import { awkwardColumns, randomAwkwardTable } from "../../support/awkward.ts";
import { rounds } from "../../support/layer.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";

const nativeTypes = {
  text: ["text", "varchar", "char(40)"],
  whole: ["integer", "bigint", "real"],
  big: ["numeric(20)", "numeric"],
  decimal: ["numeric(30, 10)", "numeric", "money"],
  double: ["float8", "numeric"],
  datetime: ["timestamptz", "timestamp", "timestamptz(3)"],
  date: ["date"],
} as const;

suite("connectors/postgres/copyOut", (test) => {
  let database: PostgresDatabase;
  let plugin: Plugin;
  let client: pg.Client;
  test.before(async () => {
    database = await openPostgresDatabase();
    plugin = await open({ reach: openReach(), timeoutMs: 30_000, sizeBytes: 2 ** 28 });
    const { host, port, user, password } = database.server;
    client = new pg.Client({ host, port, user, password, database: database.database });
    await client.connect();
  });
  test.after(async () => {
    await client?.end();
    await plugin?.close?.();
    await database?.close();
  });
  const answersAgain = async () => {
    const { rows } = await client.query<{ one: number }>("select 1 as one");
    assert.equal(rows, [{ one: 1 }]);
  };

  const scanned = async (id: string, ids: readonly string[], signal: AbortSignal) => {
    const rows: unknown[] = [];
    await plugin.scan?.({
      credentials: database.credentials,
      signal,
      query: {
        id,
        columns: ids.map((column_id) => ({ column_id })),
        filters: [],
        options: { pushdown: false },
      },
      async take(batch) {
        for (const row of rowsOfBatch(batch)) rows.push(row);
      },
    });
    return rows;
  };

  test("a scan with COPY returns the same cells as a query, for every native type", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 30 }); round++) {
        const table = randomAwkwardTable(random, { nan: true, years: [1000, 9999] }, 60);
        const name = `copied_${round}`;
        const typed = awkwardColumns.map(({ kind }) => random.pick([...nativeTypes[kind]]));
        const castOf = (type: string, place: number) =>
          type === "money" || type === "real"
            ? `case when abs($${place}::float8) < 1e6 then $${place}::float8 end::numeric::${type}`
            : `$${place}::${type}`;
        await database.run(
          `create table ${name} (${typed.map((type, index) => `c${index} ${type}`).join(", ")})`,
        );
        for (const row of table.rows)
          await database.run(
            `insert into ${name} values (${typed.map((type, index) => castOf(type, index + 1)).join(", ")})`,
            row,
          );
        const ids = typed.map((_, index) => `c${index}`);
        const { signal } = new AbortController();
        const query = {
          id: `public.${name}`,
          columns: ids.map((column_id) => ({ column_id })),
          filters: [],
          options: { pushdown: false },
        };
        const { credentials } = database;
        const queried = await plugin.query({ credentials, signal, query });
        const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
        assert.equal(
          sorted(await scanned(query.id, ids, signal)),
          sorted(rowsOfBatch(queried)),
          typed.join(),
        );
        assert.is(queried.rowCount, table.rows.length);
      }
    });
  });

  test("a scan with COPY reads infinities, extreme dates and numbers beyond the range of doubles as a query does", async () => {
    await database.run(`
      create table edges (n numeric, f float8, at timestamp, day date, small int, word text);
      insert into edges values
        ('1e400', 'Infinity', 'infinity', 'infinity', 1, ''), ('NaN', 'NaN', '-infinity', null, null, null),
        ('1e-400', '-0', '4713-01-01 BC', '0001-01-01', -1, 'Zoë'), ('-1e308', '5e-324', '275760-09-13', '1858-11-16', 0, '𝒳'),
        (9007199254740993, 0.1, '1999-12-31 23:59:59.9999', '2142-06-30', 7, E'\\t');`);
    const ids = ["n", "f", "at", "day", "small", "word"];
    const { signal } = new AbortController();
    const found = await scanned("public.edges", ids, signal);
    const queried = await plugin.query({
      credentials: database.credentials,
      signal,
      query: {
        id: "public.edges",
        columns: ids.map((column_id) => ({ column_id })),
        filters: [],
        options: { pushdown: false },
      },
    });
    assert.equal(found, [...rowsOfBatch(queried)]);
    assert.ok(!found.flat().some((cell) => Object.is(cell, -0)));
  });

  const manyRows = "select i::float8, 'text ' || i % 9 from generate_series(1, 60000) i";

  test("rows of a scan arrive in batches of a minimum size, and reading pauses while a batch waits", async () => {
    const copy = client.query(new CopyOut(manyRows, ["numeric", "hierarchy"], 2 ** 16));
    let [rowCount, batchCount] = [0, 0];
    for (let batch = await copy.next(); batch; batch = await copy.next()) {
      const [numbers, texts] = batch.columns;
      if (numbers?.type !== "numeric" || texts?.type !== "hierarchy")
        throw new Error("other types");
      for (let row = 0; row < batch.rowCount; row++) {
        const number = ++rowCount;
        if (
          numbers.values[row] !== number ||
          texts.dictionary[texts.codes[row]!] !== `text ${number % 9}`
        )
          throw new Error(`row ${number} differs`);
      }
      batchCount++;
    }
    assert.is(rowCount, 60_000);
    assert.ok(batchCount > 8, `${batchCount} batches`);
    await answersAgain();
  });

  test("if an SQL statement fails while rows arrive, its connection can be used again", async () => {
    const text = "select (10 / (5000 - i))::float8 from generate_series(1, 10000) i";
    const copy = client.query(new CopyOut(text, ["numeric"], 1000));
    const failure = await (async () => {
      while (await copy.next());
      return undefined;
    })().catch((thrown: unknown) => thrown);
    assert.is((failure as { readonly code?: string }).code, "22012");
    await answersAgain();
  });

  test("a scan fails if its select hides a second SQL command", async () => {
    const text = "select 1::float8) to stdout (format binary); copy (select 2::float8";
    const failure = await client
      .query(new CopyOut(text, ["numeric"], 1000))
      .next()
      .catch((thrown: unknown) => thrown);
    assert.match(String(failure), /multiple commands/);
    await answersAgain();
  });

  test("a scan that is aborted or fails stops on the server, and its session can be used again", async () => {
    await database.run(
      "create table many as select i::float8 as n from generate_series(1, 400000) i",
    );
    await database.run("create table few as select i::float8 as n from generate_series(1, 9) i");
    const take = (stop: () => void) => {
      let count = 0;
      return async () => {
        if (count++ === 0) stop();
      };
    };
    const aborting = new AbortController();
    for (const [signal, stop] of [
      [aborting.signal, () => aborting.abort(new Error("enough"))],
      [
        new AbortController().signal,
        () => {
          throw new Error("enough");
        },
      ],
    ] satisfies (readonly [AbortSignal, () => void])[]) {
      const failure = await plugin
        .scan?.({
          credentials: database.credentials,
          signal,
          query: {
            id: "public.many",
            columns: Array.from({ length: 6 }, () => ({ column_id: "n" })),
            filters: [],
            options: { pushdown: false },
          },
          take: take(stop),
        })
        .catch((thrown: Error) => thrown);
      assert.ok(failure instanceof Error);
      const { signal: again } = new AbortController();
      assert.is((await scanned("public.few", ["n"], again)).length, 9);
    }
    const [[running] = []] = await database.run(
      `select count(*)::int from pg_stat_activity
        where state = 'active' and query like 'copy (%' and datname = current_database()`,
    );
    assert.is(running, 0);
  });

  test("a scan fails if the server sends rows in an unknown format", () => {
    const header = Buffer.from("PGCOPY\n\u00ff\r\n\u0000\0\0\0\0\0\0\0\0", "latin1");
    const read = (...bytes: readonly number[]) => {
      const rows = new BinaryRows(["numeric"]);
      rows.read(Buffer.concat([header, Buffer.from(bytes)]));
      return rows.rowCount;
    };
    assert.is(read(0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0), 1);
    assert.is(read(0xff, 0xff), 0);
    assert.throws(() => new BinaryRows([]).read(Buffer.from("hello")), /without a header/);
    assert.throws(() => read(0, 2, 0, 0, 0, 0), /2 cells/);
    assert.throws(() => read(0, 1, 0, 0, 0, 4, 0, 0, 0, 0), /does not have 8 bytes/);
    assert.throws(() => read(0, 1, 0, 0, 0, 8, 0), /an incomplete row/);
  });

  test("each distinct string has one code, however many strings there are and wherever batches end", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const column = new TextColumn();
      const earlier: (() => void)[] = [];
      for (const distinct of rounds({
        quick: [3, 3, 9, 500, 501, 3, 5_000, 40],
        deep: [3, 3, 9, 500, 500, 501, 3, 5_000, 5_000, 400_000, 40, 40],
      })) {
        const texts = Array.from({ length: distinct > 9_000 ? 80_000 : 6_000 }, () =>
          random.chance(0.1) ? null : `${"é".repeat(random.below(4))}${random.below(distinct)}`,
        );
        for (const text of texts) {
          const bytes = Buffer.from(`..${text}..`);
          if (text === null) column.addNull();
          else column.add(bytes, 2, bytes.length - 2);
        }
        const taken = column.take();
        if (taken.type !== "hierarchy") throw new Error("no texts");
        const { codes, dictionary } = taken;
        const { length } = dictionary;
        const check = () => {
          const isRight = (text: string | null, row: number) =>
            text === (codes[row] === -1 ? null : dictionary[codes[row]!]);
          assert.is(codes.length, texts.length);
          assert.ok(texts.every(isRight), `${distinct} distinct strings`);
          assert.is(dictionary.length, length);
        };
        check();
        assert.is(new Set(dictionary).size, length);
        earlier.push(check);
      }
      // A batch must stay unchanged while later batches are read.
      for (const check of earlier) check();
    });
  });
});
