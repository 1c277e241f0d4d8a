import { join } from "node:path";
import * as assert from "uvu/assert";
import {
  openStore,
  type ColumnDefinition,
  type Expression,
  type Output,
  type OutputPredicate,
  type Plan,
  type Predicate,
  type Scalar,
  type Store,
} from "../../../engine/index.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { compare, referenceAnswer, type Row } from "../referenceEngine.ts";
import { makeFolder, rejects, toBatch, toCells } from "../tables.ts";
import { periods } from "../../../engine/types.ts";

const columns: readonly ColumnDefinition[] = [
  { name: "small", type: "number" },
  { name: "wide", type: "number" },
  { name: "empty", type: "number" },
  { name: "when", type: "datetime" },
  { name: "city", type: "text" },
  { name: "word", type: "text" },
];
const cities = [
  "Antwerpen",
  "antwerpen",
  "Gent",
  "",
  "\u{1F600}",
  "\uFF5E",
  "__proto__",
  "a.*",
  "lone \uD800",
  null,
];
const wides = [0, -0, 2 ** 53, -(2 ** 53), 1e300, -1e-300, 0.1, 0.5, 12345.75, null];
const zones = ["UTC", "Europe/Brussels", "America/New_York", "Asia/Kathmandu", "Australia/Sydney"];

function makeRow(random: Random): Row {
  return {
    small: random.below(8) === 0 ? null : random.below(20) - 10,
    wide: random.pick(wides),
    empty: null,
    when:
      random.below(10) === 0
        ? null
        : Date.UTC(1965, 0, 1) + random.below(60 * 365 * 24) * 3_600_000 + random.below(3_600_000),
    city: random.pick(cities),
    word: random.below(10) === 0 ? null : `w${random.below(500)}`,
  };
}

function makeExpression(random: Random): Expression {
  const { name } = random.pick(columns);
  if (name === "when" && random.below(4) > 0)
    return {
      kind: "period",
      of: { kind: "column", name },
      period: random.pick(periods),
      timezone: random.pick(zones),
    };
  return { kind: "column", name };
}

const typeOf = (expression: Expression) =>
  expression.kind === "column"
    ? (columns.find(({ name }) => name === expression.name)?.type ?? "number")
    : "datetime";

function makeValue(random: Random, type: string): number | string {
  if (type === "text") return random.pick(["Gent", "w12", "", "\uFF5E", "nowhere"]);
  if (type === "datetime") return Date.UTC(1965 + random.below(60), random.below(12), 1);
  return random.pick([0, 3, -5, 0.1, 2 ** 53, 1e300]);
}

function makePredicate(random: Random, depth: number): Predicate {
  const kind = random.pick(
    depth > 0
      ? (["and", "or", "not", "compare", "in", "match", "isNull"] as const)
      : (["compare", "in", "match", "isNull"] as const),
  );
  if (kind === "and" || kind === "or")
    return {
      kind,
      of: Array.from({ length: random.below(3) }, () => makePredicate(random, depth - 1)),
    };
  if (kind === "not") return { kind, of: makePredicate(random, depth - 1) };
  if (kind === "match")
    return {
      kind,
      left: { kind: "column", name: random.pick(["city", "word"]) },
      match: random.pick(["contains", "startsWith", "endsWith"] as const),
      text: random.pick(["A", "EN", "1", ".*", ""]),
    };
  const left = makeExpression(random);
  if (kind === "isNull") return { kind, left };
  if (kind === "in")
    return {
      kind,
      left,
      values: Array.from({ length: random.below(4) }, () =>
        random.below(4) === 0 ? null : makeValue(random, typeOf(left)),
      ),
    };
  return {
    kind,
    left,
    operator: random.pick(["=", "<", "<=", ">", ">="] as const),
    value: makeValue(random, typeOf(left)),
  };
}

function makePlan(random: Random): Plan {
  const grouped = random.below(4) > 0;
  const outputs: Output[] = [];
  for (let count = random.below(3) + (grouped ? 0 : 1); count > 0; count--)
    outputs.push({ kind: "key", of: makeExpression(random) });
  if (grouped)
    for (let count = random.below(4) + (outputs.length ? 0 : 1); count > 0; count--) {
      const name = random.pick([
        "rows",
        "count",
        "sum",
        "average",
        "min",
        "max",
        "distinctcount",
      ] as const);
      if (name === "rows") outputs.push({ kind: "aggregate", function: name });
      else
        outputs.push({
          kind: "aggregate",
          function: name,
          of:
            name === "sum" || name === "average"
              ? { kind: "column", name: "small" }
              : makeExpression(random),
        });
    }
  const having: OutputPredicate | undefined =
    grouped && random.below(3) === 0
      ? { kind: "not", of: { kind: "isNull", output: random.below(outputs.length) } }
      : undefined;
  const order = outputs.map((_, output) => ({ output, descending: random.below(2) === 0 }));
  return {
    table: "t",
    outputs,
    grouped,
    ...(random.below(3) > 0 && { filter: makePredicate(random, 2) }),
    ...(having && { having }),
    order,
    ...(random.below(3) === 0 && { limit: { count: random.below(20), offset: random.below(5) } }),
  };
}

/** Converts -0 to 0, because the two form one group and are equal in order. */
const normal = (rows: readonly (readonly Scalar[])[]) =>
  rows.map((row) => row.map((cell) => (cell === 0 ? 0 : cell)));

suite("engine/store/query", (test) => {
  let folder: Awaited<ReturnType<typeof makeFolder>>;
  const stores: Store[] = [];
  const open = async (workers: number) => {
    const store = await openStore({
      dir: join(folder.path, String(stores.length)),
      workers,
      memoryBytes: 2 ** 30,
    });
    stores.push(store);
    return store;
  };
  test.before(async () => void (folder = await makeFolder()));
  test.after(async () => {
    for (const store of stores) await store.close();
    await folder.remove();
  });

  test("random plans return the same answers as the row-at-a-time engine", async () => {
    const random = createRandom();
    const store = await open(rounds({ quick: 1, deep: 2 }));
    await withSeed(random, async () => {
      for (const rowCount of [0, 1, 2, 50, 700]) {
        const rows = Array.from({ length: rowCount }, () => makeRow(random));
        await store.create({ name: "t", columns, temporary: true });
        for (let start = 0; start < rowCount;) {
          const end = Math.min(rowCount, start + 1 + random.below(300));
          await store.append({ table: "t", rows: toBatch(columns, rows.slice(start, end)) });
          start = end;
        }
        for (let round = 0; round < rounds({ quick: 5, deep: 60, soak: 400 }); round++) {
          const plan = makePlan(random);
          const answer = toCells(await store.query(plan));
          assert.equal(normal(answer), normal(referenceAnswer(plan, rows)), JSON.stringify(plan));
        }
        await store.drop({ table: "t" });
      }
    });
  });

  test("a bin whose start exceeds the range of doubles is null, both in groups and in tests", async () => {
    const store = await open(1);
    const values = Float64Array.of(1, 1e308, 1.7e308, -1.7e308, NaN);
    await store.create({ name: "far", columns: [{ name: "x", type: "number" }], temporary: true });
    const batch = { rowCount: values.length, columns: [{ type: "number" as const, values }] };
    await store.append({ table: "far", rows: { names: ["x"], batch } });
    const x = { kind: "column", name: "x" } as const;
    const bin = { kind: "bin", of: x, width: 0.25, origin: 2 } as const;
    const rows = { kind: "aggregate", function: "rows" } as const;
    const groups = await store.query({
      table: "far",
      outputs: [{ kind: "key", of: bin }, rows],
      grouped: true,
      order: [{ output: 0, descending: false }],
    });
    assert.equal(toCells(groups), [
      [1, 1],
      [null, 4],
    ]);
    const empty = await store.query({
      table: "far",
      outputs: [rows],
      grouped: true,
      filter: { kind: "isNull", left: bin },
    });
    assert.equal(toCells(empty), [[4]]);
  });

  // The quick layer of randomPlans.test.ts covers these row counts too.
  for (const rowCount of [65_535, 65_536, 65_537])
    test.deep(
      `random plans over ${rowCount} rows return the same answers as the row-at-a-time engine`,
      async () => {
        const random = createRandom();
        const store = await open(2);
        await withSeed(random, async () => {
          const rows = Array.from({ length: rowCount }, () => makeRow(random));
          await store.create({ name: "t", columns, temporary: true });
          await store.append({ table: "t", rows: toBatch(columns, rows.slice(0, 40_000)) });
          await store.append({ table: "t", rows: toBatch(columns, rows.slice(40_000)) });
          for (let round = 0; round < 6; round++) {
            const plan = makePlan(random);
            assert.equal(
              normal(toCells(await store.query(plan))),
              normal(referenceAnswer(plan, rows)),
              JSON.stringify(plan),
            );
          }
        });
      },
    );

  test.deep("answers have the same bits with 1, 2 and 3 workers", async () => {
    const random = createRandom();
    const values = Float64Array.from(
      { length: 300_000 },
      () => (random.below(2 ** 30) / 7) * 10 ** (random.below(20) - 10),
    );
    const answers: Scalar[][][] = [];
    for (const workers of [1, 2, 3]) {
      const store = await open(workers);
      await store.create({ name: "t", columns: [{ name: "x", type: "number" }], temporary: true });
      await store.append({
        table: "t",
        rows: {
          names: ["x"],
          batch: { rowCount: values.length, columns: [{ type: "number", values }] },
        },
      });
      const of = { kind: "column", name: "x" } as const;
      answers.push(
        toCells(
          await store.query({
            table: "t",
            grouped: true,
            outputs: [
              { kind: "aggregate", function: "sum", of },
              { kind: "aggregate", function: "average", of },
            ],
          }),
        ),
      );
    }
    assert.equal(answers[1], answers[0], `SEED=${random.seed}`);
    assert.equal(answers[2], answers[0], `SEED=${random.seed}`);
  });

  test("sealed row groups preserve -0, 2^53, extreme doubles and the least and greatest datetimes", async () => {
    const store = await open(1);
    const numbers = [-0, 0, 2 ** 53, -(2 ** 53), Number.MAX_VALUE, Number.MIN_VALUE, 0.1, NaN];
    const times = [-8.64e15, 8.64e15, 0, -1, NaN, 1];
    for (const [index, given] of [
      numbers,
      [2 ** 53, 2 ** 53 - 1, NaN],
      [-0, 1],
      [0, 86_400_000, NaN],
      [1.5, NaN],
    ].entries()) {
      const name = `n${index}`;
      const type = index === 0 ? "number" : "datetime";
      const values = Float64Array.from({ length: 65_536 }, (_, row) =>
        type === "datetime" && index === 1 ? times[row % times.length] : given[row % given.length],
      );
      const isDatetime = index === 1;
      await store.create({
        name,
        columns: [{ name: "x", type: isDatetime ? "datetime" : "number" }],
        temporary: true,
      });
      await store.append({
        table: name,
        rows: {
          names: ["x"],
          batch: {
            rowCount: values.length,
            columns: [{ type: isDatetime ? "datetime" : "number", values }],
          },
        },
      });
      const [vector] = (
        await store.query({
          table: name,
          grouped: false,
          outputs: [{ kind: "key", of: { kind: "column", name: "x" } }],
        })
      ).columns;
      assert.ok(
        vector.type !== "text" &&
          values.every((value, row) => Object.is(value, vector.values[row])),
        name,
      );
    }
  });

  test("a running query sees one version while rows are appended and the table is dropped", async () => {
    const store = await open(2);
    await store.create({ name: "t", columns: [{ name: "x", type: "number" }] });
    const rows = {
      names: ["x"],
      batch: {
        rowCount: 1000,
        columns: [{ type: "number" as const, values: new Float64Array(1000).fill(1) }],
      },
    };
    await store.append({ table: "t", rows });
    const plan: Plan = {
      table: "t",
      grouped: true,
      outputs: [
        { kind: "aggregate", function: "rows" },
        { kind: "aggregate", function: "sum", of: { kind: "column", name: "x" } },
      ],
    };
    const answers = [];
    for (let round = 0; round < 50; round++) {
      answers.push(store.query(plan));
      await store.append({ table: "t", rows });
    }
    answers.push(store.query(plan));
    await store.drop({ table: "t" });
    const counts = (await Promise.all(answers)).map((answer) => toCells(answer)[0]);
    assert.equal(
      counts,
      Array.from({ length: 51 }, (_, index) => [(index + 1) * 1000, (index + 1) * 1000]),
    );
    await rejects(store.query(plan), "TABLE_UNKNOWN");
  });

  test("a plan with unknown names is rejected before it runs", async () => {
    const store = await open(1);
    await store.create({ name: "t", columns, temporary: true });
    const key = (name: string): Output => ({ kind: "key", of: { kind: "column", name } });
    const query = (plan: Partial<Plan>) =>
      store.query({ table: "t", grouped: true, outputs: [key("small")], ...plan });
    const left = { kind: "column", name: "small" } as const;
    await rejects(query({ table: "u" }), "TABLE_UNKNOWN");
    await rejects(query({ outputs: [key("nothing")] }), "COLUMN_UNKNOWN");
    await rejects(query({ outputs: [key("__proto__")] }), "COLUMN_UNKNOWN");
    await rejects(query({ outputs: [] }), "QUERY_PLAN");
    await rejects(
      query({
        outputs: [{ kind: "aggregate", function: "sum", of: { kind: "column", name: "city" } }],
      }),
      "COLUMN_TYPE",
    );
    await rejects(query({ outputs: [{ kind: "aggregate", function: "sum" }] }), "QUERY_PLAN");
    await rejects(
      query({
        outputs: [
          { kind: "key", of: { kind: "period", of: left, period: "day", timezone: "UTC" } },
        ],
      }),
      "COLUMN_TYPE",
    );
    await rejects(
      query({
        outputs: [
          {
            kind: "key",
            of: {
              kind: "period",
              of: { kind: "column", name: "when" },
              period: "day",
              timezone: "Mars/Base",
            },
          },
        ],
      }),
      "QUERY_PLAN",
    );
    await rejects(
      query({ filter: { kind: "compare", left, operator: "=", value: "x" } }),
      "COLUMN_TYPE",
    );
    await rejects(
      query({
        filter: {
          kind: "compare",
          left: { kind: "column", name: "city" },
          operator: "=",
          value: 1,
        },
      }),
      "COLUMN_TYPE",
    );
    await rejects(
      query({ filter: { kind: "match", left, match: "contains", text: "x" } }),
      "COLUMN_TYPE",
    );
    await rejects(query({ having: { kind: "isNull", output: 1 } }), "QUERY_PLAN");
    await rejects(query({ order: [{ output: 7, descending: false }] }), "QUERY_PLAN");
    await rejects(query({ limit: { count: -1, offset: 0 } }), "QUERY_PLAN");
    await rejects(
      query({ grouped: false, outputs: [{ kind: "aggregate", function: "rows" }] }),
      "QUERY_PLAN",
    );
  });

  test("strings are ordered by code point, not by UTF-16 unit", () => {
    assert.ok(compare("\uFF5E", "\u{1F600}") < 0);
  });

  test("a cancelled query is rejected, and the store answers the next query", async () => {
    const store = await open(1);
    await store.create({ name: "t", columns, temporary: true });
    const plan: Plan = {
      table: "t",
      grouped: true,
      outputs: [{ kind: "aggregate", function: "rows" }],
    };
    await rejects(store.query(plan, { signal: AbortSignal.abort() }), "QUERY_CANCELLED");
    const controller = new AbortController();
    const running = store.query(plan, { signal: controller.signal });
    controller.abort();
    await rejects(running, "QUERY_CANCELLED");
    assert.equal(toCells(await store.query(plan)), [[0]]);
  });
});
