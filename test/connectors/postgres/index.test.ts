import * as assert from "uvu/assert";
import { open } from "../../../connectors/postgres/index.ts";
import { rowsOfBatch, type Plugin, type Query } from "../../../plugins/protocol/index.ts";
import { openReach } from "../../support/openReach.ts";
import { openPostgresDatabase, type PostgresDatabase } from "../../support/postgresDatabase.ts";
import { suite } from "../../support/suite.ts";

const setUp = `
create table t (
  small int, big bigint, any_decimal numeric, double float8, single real, decimal numeric(10, 2),
  word text, short varchar(10), padded char(5), yes boolean,
  at timestamptz, wall timestamp, day date
);
insert into t values
  (1, 9007199254740993, 1e-400, 'NaN', 0.1, 12.34, 'Zoë', 'k', 'x', true,
   '2024-03-31 00:30:00.1239+00', '1969-12-31 23:59:59.9999', '2024-01-01'),
  (2, null, '1e400', 1.5, 1, 'NaN', 'kelvin', 'K', 'y', false, 'infinity', '-infinity', 'infinity'),
  (null, 5, 'NaN', 'Infinity', null, 0, '', '', '', null,
   '2024-10-27 00:30:00+00', '294276-12-31 00:00', '0044-03-15 BC');`;

suite("connectors/postgres", (test) => {
  let database: PostgresDatabase;
  let plugin: Plugin;
  const runQuery = async (query: Partial<Query>) => {
    const signal = new AbortController().signal;
    const batch = await plugin.query({
      credentials: database.credentials,
      signal,
      query: {
        id: "public.t",
        columns: [],
        filters: [],
        ...query,
        options: { pushdown: false, ...query.options },
      },
    });
    return rowsOfBatch(batch);
  };
  const columns = (...ids: readonly string[]) => ids.map((column_id) => ({ column_id }));

  test.before(async () => {
    database = await openPostgresDatabase();
    await database.run(setUp);
    plugin = await open({ reach: openReach(), timeoutMs: 20_000, sizeBytes: 2 ** 26 });
  });
  test.after(async () => {
    await plugin.close?.();
    await database.close();
  });

  test("numbers are read as the nearest doubles, and NaN and numbers out of range as null", async () => {
    const names = columns("small", "big", "any_decimal", "double", "single", "decimal");
    assert.equal(await runQuery({ columns: names }), [
      [1, 2 ** 53, 0, null, Math.fround(0.1), 12.34],
      [2, null, null, 1.5, 1, null],
      [null, 5, null, null, null, 0],
    ]);
  });

  test("datetimes are rounded down to the millisecond, even before 1970, and infinities are null", async () => {
    assert.equal(await runQuery({ columns: columns("at", "wall", "day") }), [
      ["2024-03-31T00:30:00.123Z", "1969-12-31T23:59:59.999Z", "2024-01-01T00:00:00.000Z"],
      [null, null, null],
      ["2024-10-27T00:30:00.000Z", null, "-000043-03-15T00:00:00.000Z"],
    ]);
  });

  test("strings are read unchanged, and char(n) without its padding", async () => {
    assert.equal(await runQuery({ columns: columns("word", "short", "padded", "yes") }), [
      ["Zoë", "k", "x", "true"],
      ["kelvin", "K", "y", "false"],
      ["", "", "", null],
    ]);
  });
});
