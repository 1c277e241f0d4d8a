import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as assert from "uvu/assert";
import { dialect } from "../../../connectors/sqlite/dialect.ts";
import { openDriver, type SqliteDriver } from "../../../connectors/sqlite/driver.ts";
import { levels, type Aggregation, type Cell } from "../../../plugins/protocol/index.ts";
import {
  cell,
  join as joined,
  list,
  sql,
  trusted,
  type Fragment,
  type SqlColumn,
} from "../../../plugins/sql/index.ts";
import { writeStatement } from "../../../plugins/sql/writeStatement.ts";
import { plainAnswer } from "../../support/plainAnswer.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { openReach } from "../../support/openReach.ts";

suite("connectors/sqlite/dialect", (test) => {
  let folder: string;
  let driver: SqliteDriver;
  const { signal } = new AbortController();
  const make = (script: string) => {
    const path = join(folder, "t.sqlite");
    rmSync(path, { force: true });
    const database = new DatabaseSync(path);
    database.exec(script);
    database.close();
  };
  /** Selects rows. All accounts of the organization share a reader process. */
  const select = async (
    build: (columnOf: (name: string) => SqlColumn) => Fragment,
    properties: Record<string, string> = {},
  ) =>
    driver.use(
      { host: join(folder, "t.sqlite"), properties },
      signal,
      async (session) => {
        const [table] = await driver.tables(session, signal, { schema: "main", name: "t" });
        const columnOf = (name: string) => {
          const column = table?.columns.find((each) => each.name === name);
          if (!column) throw new Error(`there is no column ${name}`);
          return column;
        };
        const rows: unknown[][] = [];
        for await (const block of session.rows(writeStatement(build(columnOf), dialect), signal))
          rows.push(...block.map((row) => [...row]));
        return rows;
      },
      { organization: "one", user: "ada" },
    );
  const read = (column: SqlColumn) => dialect.read(column, trusted(dialect.quote(column.name)));
  const testOf = (column: SqlColumn) => ({ left: read(column), type: column.type, column });
  /** Returns the values of the column `c` in the protocol's form. */
  const cellsOf = async (declared: string, values: string, properties = {}) => {
    make(
      `create table t (id integer primary key, c ${declared}); insert into t (c) values ${values}`,
    );
    let type: SqlColumn["type"] = "numeric";
    const rows = await select((columnOf) => {
      ({ type } = columnOf("c"));
      return sql`select ${dialect.output(read(columnOf("c")), type)} from t order by id`;
    }, properties);
    return rows.map(([value]) => {
      const found = dialect.cellOf(value, type);
      return type === "datetime" && typeof found === "number"
        ? new Date(found).toISOString()
        : found;
    });
  };

  test.before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "manifold-sqlite-")));
    driver = openDriver({
      reach: openReach(folder),
      timeoutMs: 60_000,
      sizeBytes: 2 ** 26,
    });
  });
  test.after(async () => {
    await driver?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("numeric columns are read as the nearest doubles, with null for other values", async () => {
    assert.equal(
      await cellsOf(
        "integer",
        "(1), (9007199254740993), (-9223372036854775808), (1.5), ('12'), (' 7 '), ('x'), (''), (x'3132'), (9e999), (-9e999), (null), ('0x10'), (-0.0)",
      ),
      [
        1,
        9007199254740992,
        -9223372036854775808,
        1.5,
        12,
        7,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        0,
      ],
    );
  });

  test("a text column keeps its strings, and columns of other types return strings, with binary values in hexadecimal", async () => {
    assert.equal(
      await cellsOf("text", "('a'), (12), (1.5), (x'00ff'), (''), (null), ('a' || char(0) || 'b')"),
      ["a", "12", "1.5", null, "", null, "a\0b"],
    );
    assert.equal(await cellsOf("json", "('{}'), (12), (1.5), (x'00ff'), (null)"), [
      "{}",
      "12",
      "1.5",
      "00FF",
      null,
    ]);
    assert.equal(await cellsOf("blob", "(x'00ff'), ('a')"), ["00FF", "a"]);
  });

  test("datetime columns are read from ISO 8601 strings, and from numbers in the format that the account sets", async () => {
    const texts =
      "('2024-05-01'), ('2024-05-01 10:00:00.1239'), ('1969-12-31T23:59:59.9999+01:00'), ('noon'), ('+012024-01-01'), ('2024-02-30')";
    const read = [
      "2024-05-01T00:00:00.000Z",
      "2024-05-01T10:00:00.123Z",
      "1969-12-31T22:59:59.999Z",
      null,
      "+012024-01-01T00:00:00.000Z",
      null,
    ];
    assert.equal(await cellsOf("datetime", `${texts}, (1714557600), (x'00')`), [
      ...read,
      null,
      null,
    ]);
    const seconds = { datetimes: "seconds" };
    assert.equal(
      await cellsOf("timestamp", `${texts}, (1714557600), (1714557600.25), (1e300)`, seconds),
      [...read, "2024-05-01T10:00:00.000Z", "2024-05-01T10:00:00.250Z", null],
    );
    assert.equal(
      await cellsOf("datetime", "(1714557600123), (-0.5)", { datetimes: "milliseconds" }),
      ["2024-05-01T10:00:00.123Z", "1969-12-31T23:59:59.999Z"],
    );
    assert.equal(await cellsOf("date", "(2460431.5), (2440587.5)", { datetimes: "julian" }), [
      "2024-05-01T00:00:00.000Z",
      "1970-01-01T00:00:00.000Z",
    ]);
  });

  test("strings are compared by bytes, whatever collation the column has", async () => {
    make(
      "create table t (c text collate nocase, r text collate rtrim); create index i on t (c); " +
        "insert into t values ('a', 'x'), ('A', 'x '), ('b', 'X')",
    );
    const counted = (build: (columnOf: (name: string) => SqlColumn) => Fragment) => select(build);
    assert.equal(
      await counted(
        (columnOf) =>
          sql`select count(*) from t where ${dialect.equal({ ...testOf(columnOf("c")), right: cell("hierarchy", "a") })}`,
      ),
      [[1]],
    );
    assert.equal(
      await counted(
        (columnOf) =>
          sql`select count(*) from t where ${dialect.isIn({ ...testOf(columnOf("r")), right: list("hierarchy", ["x", "y"]) })}`,
      ),
      [[1]],
    );
    assert.equal(
      await counted(
        (columnOf) =>
          sql`select ${read(columnOf("c"))} from t group by 1 order by ${dialect.order(read(columnOf("c")), "asc", "hierarchy")}`,
      ),
      [["A"], ["a"], ["b"]],
    );
    assert.equal(
      await counted((columnOf) => sql`select count(distinct ${read(columnOf("r"))}) from t`),
      [[3]],
    );
  });

  test("filters for equality and ranges of dates use an index", async () => {
    make(
      "create table t (s text collate nocase, n integer, at datetime); " +
        "create index by_s on t (s); create index by_n on t (n); create index by_at on t (at)",
    );
    type Build = (columnOf: (name: string) => SqlColumn) => Fragment;
    const cases: readonly (readonly [Build, string])[] = [
      [(of) => dialect.equal({ ...testOf(of("s")), right: cell("hierarchy", "a") }), "by_s"],
      [(of) => dialect.isIn({ ...testOf(of("n")), right: list("numeric", [1, 2]) }), "by_n"],
      [
        (of) => dialect.compare({ ...testOf(of("n")), operator: ">", right: cell("numeric", 5) }),
        "by_n",
      ],
      [(of) => dialect.within!(of("at"), 0, 1e12), "by_at"],
    ];
    for (const [build, index] of cases) {
      const plan = await select((of) => sql`explain query plan select 1 from t where ${build(of)}`);
      assert.match(
        JSON.stringify(plan),
        new RegExp(`(SEARCH t|INDEX 1 SEARCH t).* INDEX ${index}`),
        JSON.stringify(plan),
      );
    }
  });

  test("the native test that runs before an exact filter passes every row that the filter passes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const values = [
        "1",
        "1.0",
        "9007199254740993",
        "9007199254740992",
        "-9007199254740993",
        "9223372036854775807",
        "'1'",
        "' 1'",
        "'1e0'",
        "x'31'",
        "null",
        "0.1",
        "-0.0",
        "9e999",
        "'a'",
        "'\u00a01'",
        "9007199254740991",
      ];
      for (const declared of ["integer", "real", "numeric", "text", "blob", ""]) {
        make(
          `create table t (id integer primary key, c ${declared}); ` +
            values.map((value) => `insert into t (c) values (${value});`).join(""),
        );
        const candidates: Cell[] = [
          1,
          0,
          0.1,
          2 ** 53,
          2 ** 53 - 1,
          -(2 ** 53),
          9.3e18,
          "1",
          " 1",
          "a",
          "31",
        ];
        for (const wanted of candidates) {
          const [row] = await select((columnOf) => {
            const column = columnOf("c");
            const type = typeof wanted === "number" ? "numeric" : "hierarchy";
            if (column.type !== type) return sql`select 0, 0`;
            const testsOf = (tested: SqlColumn | undefined) => {
              const test = { ...testOf(column), right: cell(type, wanted), column: tested };
              const right = list(type, [wanted!, type === "numeric" ? 77 : "77"]);
              return [
                dialect.equal(test),
                dialect.isIn({ ...test, right }),
                ...(["<", "<=", ">", ">="] as const).map((operator) =>
                  dialect.compare({ ...test, operator }),
                ),
              ];
            };
            const native = testsOf(column);
            const pairs = testsOf(undefined).map((exact, index) => [exact, native[index]!]);
            const total = (index: 0 | 1) =>
              joined(
                pairs.map((pair) => sql`(select count(*) from t where ${pair[index]!})`),
                ", ",
              );
            return sql`select ${total(0)}, ${total(1)}`;
          });
          const half = (row?.length ?? 0) / 2;
          assert.equal(row?.slice(0, half), row?.slice(half), `${declared} ${String(wanted)}`);
        }
      }
    });
  });

  test("pattern matches use simple case folding", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const alphabet = [..."kKsſßẞiIİıéÉσςΣa*?[]^$.\\-_%\u212a\0😀𐐀𐐨"];
      const texts = Array.from({ length: rounds({ quick: 60, deep: 2000 }) }, () =>
        Array.from({ length: random.below(6) }, () => random.pick(alphabet)).join(""),
      );
      make("create table t (id integer primary key, c text)");
      const database = new DatabaseSync(join(folder, "t.sqlite"));
      const insert = database.prepare("insert into t (c) values (?)");
      database.exec("begin");
      for (const text of texts) insert.run(text);
      database.exec("commit");
      database.close();
      const operators = { anywhere: "like", start: "starts with", end: "ends with" } as const;
      for (let round = 0; round < rounds({ quick: 20, deep: 400 }); round++) {
        const pattern = Array.from({ length: 1 + random.below(3) }, () =>
          random.pick(alphabet),
        ).join("");
        const place = random.pick(["anywhere", "start", "end"] as const);
        const rows = await select(
          (columnOf) =>
            sql`select id from t where ${dialect.matches(read(columnOf("c")), pattern, place)!} order by id`,
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
        assert.equal(rows.flat(), ids?.type === "numeric" ? [...ids.values] : []);
      }
    });
  });

  test("datetimes are truncated to the same periods as in the reference plugin", async () => {
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
      make("create table t (n integer)");
      for (const level of levels) {
        const [row] = await select(
          () =>
            sql`select ${joined(
              instants.map((ms) =>
                dialect.truncate(sql`cast(${cell("datetime", ms)} as real)`, level)!,
              ),
              ", ",
            )}`,
        );
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
        const [starts] = answer.columns;
        assert.equal(row, starts?.type === "datetime" ? [...starts.values] : [], level);
      }
    });
  });

  test("sums of large integers do not overflow, and sums beyond the range of doubles are null", async () => {
    make(
      "create table t (big integer, huge real, one real); insert into t values " +
        "(9223372036854775807, 1.7e308, 1), (9223372036854775807, 1.7e308, null)",
    );
    const rows = await select((columnOf) => {
      const of = (name: string) => read(columnOf(name));
      const aggregated = (aggregation: Aggregation, name: string) =>
        dialect.aggregate({ aggregation, expression: of(name), type: "numeric" })!;
      return sql`select ${aggregated("sum", "big")}, ${aggregated("sum", "huge")}, ${aggregated("stddev", "one")}, ${aggregated("stddev", "huge")}, ${aggregated("average", "one")} from t`;
    });
    assert.equal(rows, [[2 ** 64, null, null, 0, 1]]);
  });
});
