import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/duckdb/dialect.ts";
import { openDriver, type DuckdbDriver } from "../../../connectors/duckdb/driver.ts";
import { levels, type Cell } from "../../../plugins/protocol/index.ts";
import {
  cell,
  join as joined,
  list,
  sql,
  trusted,
  type Fragment,
  type SqlColumn,
} from "../../../plugins/sql/index.ts";
import { rounds } from "../../support/layer.ts";
import { writeStatement } from "../../../plugins/sql/writeStatement.ts";
import { plainAnswer } from "../../support/plainAnswer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { openReach } from "../../support/openReach.ts";

type ColumnOf = (name: string) => SqlColumn;

suite("connectors/duckdb/dialect", (test) => {
  let folder: string;
  let driver: DuckdbDriver;
  const { signal } = new AbortController();
  /** The database of the tables that are made before the tests, and that of the table `t` of a test. */
  const pathOf = (table: string) => join(folder, table === "t" ? "t.duckdb" : "shared.duckdb");
  const create = async (path: string, statements: readonly string[]) => {
    rmSync(path, { force: true });
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const statement of statements) await connection.run(statement);
    connection.closeSync();
    instance.closeSync();
  };
  const make = (...statements: readonly string[]) => create(pathOf("t"), statements);
  const select = (build: (columnOf: ColumnOf) => Fragment, from = "t") =>
    driver.use({ host: pathOf(from), properties: {} }, signal, async (session) => {
      const [table] = await driver.tables(session, signal, { schema: "main", name: from });
      const columnOf = (name: string) => {
        const column = table?.columns.find((each) => each.name === name);
        if (!column) throw new Error(`there is no column ${name}`);
        return column;
      };
      const rows: unknown[][] = [];
      for await (const block of session.rows(writeStatement(build(columnOf), dialect), signal))
        rows.push(...block.map((row) => [...row]));
      return rows;
    });
  const read = (column: SqlColumn) => dialect.read(column, trusted(dialect.quote(column.name)));
  const testOf = (column: SqlColumn) => ({ left: read(column), type: column.type, column });
  const isoOf = (found: Cell, { type }: SqlColumn): Cell =>
    type === "datetime" && typeof found === "number" ? new Date(found).toISOString() : found;

  const typeCases: readonly (readonly [type: string, values: string, cells: readonly Cell[]])[] = [
    ["boolean", "true, false", ["true", "false"]],
    ["tinyint", "-128, 127", [-128, 127]],
    ["usmallint", "65535", [65535]],
    ["integer", "-2147483648", [-2147483648]],
    ["bigint", "9007199254740993, -9223372036854775808", [2 ** 53, -(2 ** 63)]],
    ["ubigint", "18446744073709551615", [2 ** 64]],
    ["hugeint", "170141183460469231731687303715884105727, 9007199254740993", [2 ** 127, 2 ** 53]],
    ["bignum", "'123456789012345678901234567890'", [Number(123456789012345678901234567890n)]],
    ["decimal(38,3)", "12345678901234567.891, 0.125", [Number("12345678901234567.891"), 0.125]],
    ["decimal(4,1)", "999.9", [999.9]],
    ["float", "0.5, 'nan', 'infinity', '-infinity'", [0.5, null, null, null]],
    ["double", "0.1, 'nan', 'infinity', 1.7e308", [0.1, null, null, 1.7e308]],
    ["varchar", "'', 'a', 'a' || chr(0) || 'b', '😀'", ["", "a", "a\0b", "😀"]],
    ["uuid", "'4ac7a9e9-607c-4c8a-84f3-843f0191e3fd'", ["4ac7a9e9-607c-4c8a-84f3-843f0191e3fd"]],
    ["enum('low', 'high')", "'low'", ["low"]],
    ["blob", "'\\x00\\xFF'::blob", ["00FF"]],
    ["bit", "'0101'", ["0101"]],
    [
      "date",
      "'2024-05-01', '1582-10-04', 'infinity', '-infinity', '5877642-06-25 (BC)', '5881580-07-10'",
      ["2024-05-01T00:00:00.000Z", "1582-10-04T00:00:00.000Z", null, null, null, null],
    ],
    [
      "timestamp",
      "'2024-05-01 10:00:00.1239', '1969-12-31 23:59:59.9999', '0001-01-01 (BC) 00:00:00', 'infinity', '290000-01-01'",
      [
        "2024-05-01T10:00:00.123Z",
        "1969-12-31T23:59:59.999Z",
        "0000-01-01T00:00:00.000Z",
        null,
        null,
      ],
    ],
    ["timestamp_s", "'2024-05-01 10:00:00', '290000-01-01'", ["2024-05-01T10:00:00.000Z", null]],
    ["timestamp_ms", "'2024-05-01 10:00:00.123', '-infinity'", ["2024-05-01T10:00:00.123Z", null]],
    ["timestamp_ns", "'1969-12-31 23:59:59.999999999'", ["1969-12-31T23:59:59.999Z"]],
    ["timestamptz", "'2024-05-01 10:00:00.5+02', 'infinity'", ["2024-05-01T08:00:00.500Z", null]],
    ["time", "'10:00:00.5'", ["10:00:00.5"]],
    ["interval", "'1 month 2 days'", ["1 month 2 days"]],
    ["integer[]", "[1, null]", ["[1,null]"]],
    ["integer[2]", "[1, 2]", ["[1,2]"]],
    ["struct(a integer, b varchar)", "{a: 1, b: 'x'}", ['{"a":1,"b":"x"}']],
    ["map(varchar, integer)", "map {'a': 1}", ['{"a":1}']],
    ["union(n integer, s varchar)", "1::integer", ['{"n":1}']],
    ["json", "'{\"a\": 1}'", ['{"a": 1}']],
  ];

  test.before(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-duck-")));
    driver = openDriver({
      reach: openReach(folder),
      timeoutMs: 60_000,
      sizeBytes: 2 ** 26,
    });
    const valuesOf = ([, values]: (typeof typeCases)[number]) =>
      /^[[{m]/.test(values) ? [values] : values.split(", ");
    // One database contains the tables of all quick tests, because a new file needs a new reader process.
    await create(pathOf("shared"), [
      ...typeCases.flatMap((each, index) => [
        `create table t${index} (id integer, c ${each[0]})`,
        `insert into t${index} values ${[...valuesOf(each), "null"].map((value, id) => `(${id}, ${value})`).join(", ")}`,
      ]),
      "create table ranges (n integer, d double, s varchar, i timestamp)",
      "insert into ranges select range, range, range, make_timestamp(range * 1000000) from range(1000)",
      "create table words (c varchar collate nocase)",
      "insert into words values ('a'), ('A'), ('b'), ('Z')",
      "create table numbers (big bigint, huge double, one double, wide decimal(38, 2))",
      "insert into numbers values (9223372036854775807, 1.7e308, 1, 99999999999999999999.99), (9223372036854775807, 1.7e308, null, 0.01)",
    ]);
  });
  test.after(async () => {
    await driver?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("values of every DuckDB type are read as documented", async () => {
    await driver.use({ host: pathOf("shared"), properties: {} }, signal, async (session) => {
      const tables = await driver.tables(session, signal);
      for (const [index, [type, , cells]] of typeCases.entries()) {
        const column = tables.find(({ name }) => name === `t${index}`)!.columns[1]!;
        const output = dialect.output(read(column), column.type);
        const statement = writeStatement(
          sql`select ${output} from ${trusted(`t${index}`)} order by id`,
          dialect,
        );
        const found: Cell[] = [];
        for await (const block of session.rows(statement, signal))
          found.push(...block.map(([value]) => isoOf(dialect.cellOf(value, column.type), column)));
        assert.equal(found, [...cells, null], type);
      }
    });
  });

  test.deep("filters compare values in the same form in which they are read", async () => {
    await make(
      "create table t (b bigint, h hugeint, d double, f float, n decimal(30, 5), u ubigint)",
      "insert into t values (9007199254740993, 9007199254740993, -0.0, 0.1, 9007199254740993.00001, 18446744073709551615), " +
        "(1, 1, 'nan', 1, 1, 1), (null, null, 'infinity', 'nan', null, null), (9007199254740992, 5, 5, 5, 5, 5), " +
        "(-9007199254740993, -5, -5.5, -5, -5.5, 0)",
    );
    const candidates = [
      2 ** 53,
      2 ** 53 - 1,
      -(2 ** 53),
      0,
      1,
      5,
      -5.5,
      0.1,
      Math.fround(0.1),
      2 ** 64,
    ];
    for (const name of ["b", "h", "d", "f", "n", "u"]) {
      const values = (
        await select((of) => sql`select ${dialect.output(read(of(name)), "numeric")} from t`)
      ).flat();
      for (const wanted of candidates) {
        const right = cell("numeric", wanted);
        const count = (of: Fragment) => sql`cast((select count(*) from t where ${of}) as double)`;
        const [row] = await select((of) => {
          const test = { ...testOf(of(name)), right };
          return sql`select ${joined(
            [
              count(dialect.equal(test)),
              count(dialect.isIn({ ...test, right: list("numeric", [wanted, 77]) })),
              ...(["<", "<=", ">", ">="] as const).map((operator) =>
                count(dialect.compare({ ...test, operator })),
              ),
            ],
            ", ",
          )}`;
        });
        const numbers = values.filter((value): value is number => typeof value === "number");
        const expected = [
          numbers.filter((value) => value === wanted),
          numbers.filter((value) => value === wanted),
          numbers.filter((value) => value < wanted),
          numbers.filter((value) => value <= wanted),
          numbers.filter((value) => value > wanted),
          numbers.filter((value) => value >= wanted),
        ].map(({ length }) => length);
        assert.equal(row, expected, `${name} ${wanted}`);
      }
    }
  });

  test.deep(
    "the range test that runs before an exact datetime filter passes every row that the filter passes",
    async () => {
      const types = [
        "date",
        "timestamp",
        "timestamp_s",
        "timestamp_ms",
        "timestamp_ns",
        "timestamptz",
      ];
      const values = [
        "1969-12-31 23:59:59.9999",
        "1970-01-01",
        "2024-05-01 10:00:00.0005",
        "2024-05-01",
        "infinity",
      ];
      await make(
        `create table t (${types.map((type, index) => `c${index} ${type}`).join(", ")})`,
        ...values.map(
          (value) =>
            `insert into t values (${types
              .map((type) => `try_cast(try_cast('${value}' as timestamp) as ${type})`)
              .join(", ")})`,
        ),
      );
      const instants = [
        -1,
        0,
        Date.parse("2024-05-01T10:00:00Z"),
        Date.parse("2024-05-01"),
        8.64e15 - 1,
        -8.64e15,
      ];
      for (const [index] of types.entries())
        for (const at of instants) {
          const rows = await select((of) => {
            const column = of(`c${index}`);
            const exact = sql`${read(column)} >= ${cell("datetime", at)}`;
            const below = sql`${read(column)} < ${cell("datetime", at)}`;
            return sql`select 1 from t where ${exact} and not ${dialect.within!(column, at, undefined)} or ${below} and not ${dialect.within!(column, undefined, at)}`;
          });
          assert.equal(rows, [], `${types[index]} ${at}`);
        }
    },
  );

  test("filters on numbers, strings and datetimes skip row groups of Parquet files", async () => {
    const cases: readonly ((of: ColumnOf) => Fragment)[] = [
      (of) => dialect.equal({ ...testOf(of("n")), right: cell("numeric", 5) }),
      (of) => dialect.compare({ ...testOf(of("d")), operator: ">", right: cell("numeric", 5) }),
      (of) => dialect.equal({ ...testOf(of("s")), right: cell("hierarchy", "5") }),
      (of) => dialect.within!(of("i"), 5000, 90_000),
    ];
    const statements = await driver.use(
      { host: pathOf("ranges"), properties: {} },
      signal,
      async (session) => {
        const [table] = await driver.tables(session, signal, { schema: "main", name: "ranges" });
        const of = (name: string) => table!.columns.find((column) => column.name === name)!;
        return cases.map((build) =>
          writeStatement(sql`select count(*) from ranges where ${build(of)}`, dialect),
        );
      },
    );
    const instance = await DuckDBInstance.create(pathOf("ranges"), {
      access_mode: "READ_ONLY",
    });
    const connection = await instance.connect();
    for (const { text, values } of statements) {
      const plan = await connection.runAndReadAll(`explain ${text}`, values as string[]);
      assert.match(String(plan.getRows()), /(SEQ_SCAN|TABLE_SCAN)[\s\S]*Filters:/, text);
    }
    connection.closeSync();
    instance.closeSync();
  });

  test("strings are compared by bytes even in a database with collations", async () => {
    const count = (build: (of: ColumnOf) => Fragment) => select(build, "words");
    assert.equal(
      await count(
        (of) =>
          sql`select cast(count(*) as double) from words where ${dialect.equal({ ...testOf(of("c")), right: cell("hierarchy", "a") })}`,
      ),
      [[1]],
    );
    assert.equal(
      await count(
        (of) =>
          sql`select cast(count(*) as double) from words where ${dialect.isIn({ ...testOf(of("c")), right: list("hierarchy", ["a", "B"]) })}`,
      ),
      [[1]],
    );
    assert.equal(
      await count(
        (of) =>
          sql`select ${read(of("c"))} as x from words group by 1 order by ${dialect.order(trusted("x"), "asc", "hierarchy")}`,
      ),
      [["A"], ["Z"], ["a"], ["b"]],
    );
    assert.equal(
      await count(
        (of) =>
          sql`select cast(count(distinct ${read(of("c"))}) as double), max(${read(of("c"))}) from words`,
      ),
      [[4, "b"]],
    );
    assert.equal(
      await count(
        (of) =>
          sql`select x from (select ${read(of("c"))} as x from words) where ${dialect.compare({ left: trusted("x"), operator: "<", right: cell("hierarchy", "a"), type: "hierarchy" })} order by x`,
      ),
      [["A"], ["Z"]],
    );
  });

  test.deep("pattern matches use simple case folding", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const alphabet = [..."kKsſßẞiIİıéÉσςΣa*?[]^$.\\-_%|(){}+\n\u212a\0😀𐐀𐐨"];
      const texts = Array.from({ length: rounds({ quick: 60, deep: 3000 }) }, () =>
        Array.from({ length: random.below(6) }, () => random.pick(alphabet)).join(""),
      );
      await make("create table t (id double, c varchar)");
      const instance = await DuckDBInstance.create(join(folder, "t.duckdb"));
      const connection = await instance.connect();
      const appender = await connection.createAppender("t");
      texts.forEach((text, index) => {
        appender.appendDouble(index + 1);
        appender.appendVarchar(text);
        appender.endRow();
      });
      appender.closeSync();
      connection.closeSync();
      instance.closeSync();
      const operators = { anywhere: "like", start: "starts with", end: "ends with" } as const;
      for (let round = 0; round < rounds({ quick: 12, deep: 600 }); round++) {
        const pattern = Array.from({ length: 1 + random.below(3) }, () =>
          random.pick(alphabet),
        ).join("");
        const place = random.pick(["anywhere", "start", "end"] as const);
        const rows = await select(
          (of) =>
            sql`select id from t where ${dialect.matches(read(of("c")), pattern, place)!} order by id`,
        );
        const expected = plainAnswer(
          {
            id: "t",
            columns: [{ column_id: "id" }],
            filters: [{ column_id: "c", expression: operators[place], value: [pattern] }],
            options: { pushdown: false },
          },
          {
            columns: [
              { id: "id", type: "numeric" },
              { id: "c", type: "hierarchy" },
            ],
            rows: texts.map((c, index) => ({ id: index + 1, c })),
          },
        );
        const [ids] = expected.columns;
        assert.equal(
          rows.flat(),
          ids?.type === "numeric" ? [...ids.values] : [],
          JSON.stringify(pattern),
        );
      }
    });
  });

  test.deep("datetimes are truncated to the same periods as in the reference plugin", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const instants = [
        -8.64e15,
        8.64e15,
        -62167219200001,
        -1,
        0,
        1714557600123,
        -86400000,
        253402300800000,
        ...Array.from({ length: 40 }, () =>
          Math.floor((random.below(2 ** 30) / 2 ** 29 - 1) * 6e13),
        ),
      ];
      await make("create table t (n integer)");
      for (const level of levels) {
        const starts = instants.map((ms) => dialect.truncate(sql`${cell("datetime", ms)}`, level)!);
        const [row] = await select(() => sql`select ${joined(starts, ", ")}`);
        const answer = plainAnswer(
          {
            id: "t",
            columns: [{ column_id: "at", level }],
            filters: [],
            options: { pushdown: false },
          },
          {
            columns: [{ id: "at", type: "datetime" }],
            rows: instants.map((ms) => ({ at: new Date(ms).toISOString() })),
          },
        );
        const [expected] = answer.columns;
        assert.equal(row, expected?.type === "datetime" ? [...expected.values] : [], level);
      }
    });
  });

  test("sums have the precision of doubles, and are null beyond the range of doubles", async () => {
    const rows = await select((of) => {
      const folded = (
        [
          ["sum", "big"],
          ["sum", "wide"],
          ["sum", "huge"],
          ["stddev", "one"],
          ["stddev", "huge"],
          ["average", "one"],
          ["distinctcount", "huge"],
        ] as const
      ).map(([aggregation, name]) => {
        const call = { aggregation, expression: read(of(name)), type: "numeric" } as const;
        return dialect.output(dialect.aggregate(call)!, "numeric");
      });
      return sql`select ${joined(folded, ", ")} from numbers`;
    }, "numbers");
    assert.equal(rows, [[2 ** 64, 1e20, null, null, 0, 1, 1]]);
  });
});
