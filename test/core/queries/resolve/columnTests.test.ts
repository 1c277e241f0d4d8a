import * as assert from "uvu/assert";
import type { Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import type { PlainColumn } from "../../../support/plainHost.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, override, rowFilter } from "../../../support/restricted.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "id", type: "numeric" },
  { id: "n", type: "numeric" },
  { id: "m", type: "numeric" },
  { id: "s", type: "hierarchy" },
  { id: "t", type: "hierarchy" },
  { id: "w", type: "datetime" },
  { id: "v", type: "datetime" },
  { id: "double", type: "numeric", expression: "{D:n} * 2" },
];
const cellsOf: Readonly<Record<string, readonly Cell[]>> = {
  numeric: [null, -1, 0, 1, 2, 2.5],
  hierarchy: [null, "", "a", "A", "ab", "B", "É"],
  datetime: [
    null,
    "2024-01-31T23:30:00.000Z",
    "2024-02-01T00:00:00.000Z",
    "2023-02-01T10:00:00.000Z",
  ],
};

function randomRows(random: Random): Cell[][] {
  const stored = columns.filter(({ id, expression }) => id !== "id" && expression === undefined);
  return Array.from({ length: 24 }, (_, index) => [
    index,
    ...stored.map(({ type }) => random.pick(cellsOf[type] ?? [])),
  ]);
}

const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
type Side = { readonly column: string } | { readonly value: Cell };

/** Returns a row's cell for one side of a test. Datetimes in the same format can be compared as strings. */
function cellOf(side: Side, row: readonly Cell[]): Cell {
  if ("value" in side) return side.value;
  const at = (id: string) => row[columns.findIndex((column) => column.id === id)] ?? null;
  if (side.column !== "double") return at(side.column);
  const n = at("n");
  return n === null ? null : Number(n) * 2;
}

const positive: Readonly<Record<string, (one: Cell, other: Cell) => boolean>> = {
  "=": (one, other) => one === other,
  "<": (one, other) => one! < other!,
  "<=": (one, other) => one! <= other!,
  ">": (one, other) => one! > other!,
  ">=": (one, other) => one! >= other!,
  like: (one, other) => String(one).toLowerCase().includes(String(other).toLowerCase()),
  "starts with": (one, other) => String(one).toLowerCase().startsWith(String(other).toLowerCase()),
  "ends with": (one, other) => String(one).toLowerCase().endsWith(String(other).toLowerCase()),
};
const complements: Readonly<Record<string, string>> = {
  "!=": "=",
  "not like": "like",
  "not starts with": "starts with",
  "not ends with": "ends with",
  "not in": "in",
};

/**
 * Replaces null in a column on the right of an operator. A list may contain null, but a column contributes only its
 * values.
 */
const nothing = "nothing at all";

/** The reference implementation: two-valued logic, one row and value at a time. */
function passes(operator: string, [first, ...others]: readonly Cell[]): boolean {
  const twin = complements[operator];
  if (twin !== undefined) return !passes(twin, [first ?? null, ...others]);
  if (operator === "in") return others.some((each) => each === first);
  if (first === null || first === undefined || others.includes(nothing)) return false;
  if (operator === "between") return others[0]! <= first && first <= others[1]!;
  return positive[operator]!(first, others[0]!);
}

suite("core/queries/resolve/columnTests", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  const parameterOf = (side: Side) => ("value" in side ? side.value : ref(side.column));
  const randomTest = (random: Random) => {
    const [type, ids] = random.pick([
      ["numeric", ["n", "m", "double"]],
      ["hierarchy", ["s", "t"]],
      ["datetime", ["w", "v"]],
    ] as const);
    const operator = random.pick([
      "=",
      "!=",
      "in",
      "not in",
      ...(type === "hierarchy"
        ? ["like", "not like", "starts with", "not starts with", "ends with", "not ends with"]
        : ["<", "<=", ">", ">=", "between", "between and"]),
    ]);
    const isList = operator.endsWith("in");
    const values = cellsOf[type]!.filter((cell) => cell !== null || isList);
    const count = isList ? 1 + random.below(4) : operator.startsWith("between") ? 2 : 1;
    const side = (): Side =>
      random.chance(0.5) ? { column: random.pick(ids) } : { value: random.pick(values) };
    const sides = [
      random.chance(0.8) ? { column: random.pick(ids) } : side(),
      ...Array.from({ length: count }, side),
    ];
    if (sides[0] && "value" in sides[0] && sides[0].value === null) sides[0] = { column: ids[0] };
    sides[random.below(count) + 1] = { column: random.pick(ids) };
    return { operator, sides };
  };
  const conditionOf = ({ operator, sides }: ReturnType<typeof randomTest>) => {
    const [first, ...others] = sides.map(parameterOf);
    if (operator === "between and")
      return { expression: "? between ? and ?", parameters: [first, ...others] };
    const isList = operator.endsWith("in") || operator === "between";
    return { expression: `? ${operator} ?`, parameters: [first, isList ? others : others[0]] };
  };

  test("random tests that compare columns match a reference implementation, on every kind of source", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < 3; round++) {
        const rows = randomRows(random);
        const tests = Array.from({ length: 12 }, () => randomTest(random));
        const expected = tests.map(({ operator, sides }) =>
          rows
            .filter((row) =>
              passes(
                operator.replace(" and", ""),
                sides.map((side, index) => {
                  const cell = cellOf(side, row);
                  return cell === null && index > 0 && "column" in side ? nothing : cell;
                }),
              ),
            )
            .map(([id]) => [id]),
        );
        for (const [name, host] of await sources.hosts({ columns, rows }))
          for (const [index, each] of tests.entries()) {
            const where = [conditionOf(each)];
            const { data } = await host.sendQuery({ dimensions: [ref("id")], where });
            assert.equal(data, expected[index], `${name} ${JSON.stringify(where)}`);
          }
      }
    });
  });

  const rows: readonly (readonly Cell[])[] = [
    [0, 1, 2, "a", "A", "2024-01-31T23:30:00.000Z", "2024-02-01T00:00:00.000Z"],
    [1, 2, 1, "b", "b", "2024-02-01T00:00:00.000Z", "2024-01-31T23:30:00.000Z"],
    [2, null, 1, null, null, null, "2024-02-01T00:00:00.000Z"],
    [3, 5, 5, "ab", "b", "2024-02-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z"],
  ];
  const hosts = () => sources.hosts({ columns, rows });

  test("levels and bins apply to the compared columns, in the time zone of the query", async () => {
    for (const [name, host] of await hosts()) {
      const ids = async (parameters: unknown[], options = {}) =>
        (
          await host.sendQuery({
            dimensions: [ref("id")],
            where: [{ expression: "? = ?", parameters }],
            options,
          })
        ).data.flat();
      const months = [ref("w", { level: 3 }), ref("v", { level: 3 })];
      assert.equal(await ids(months), [3], name);
      assert.equal(await ids(months, { timezone_id: "Europe/Brussels" }), [0, 1, 3], name);
      const bins = (id: string) => ref(id, { discretization: { type: "linear", size: 2 } });
      assert.equal(await ids([bins("n"), bins("m")]), [3], name);
    }
  });

  test("`having` compares values of the same group, including formulas", async () => {
    for (const [name, host] of await hosts()) {
      const groups = async (parameters: unknown[], expression = "? > ?") =>
        (
          await host.sendQuery({
            dimensions: [ref("t")],
            measures: [ref("n", { aggregation: "sum" })],
            having: [{ expression, parameters }],
            options: { cells: "plain" },
          })
        ).data;
      const [n, m] = [ref("n", { aggregation: "sum" }), ref("m", { aggregation: "sum" })];
      assert.equal(await groups([n, m]), [["b", 7]], name);
      assert.equal(
        await groups([m, n], "? >= ?"),
        [["A", 1]],
        `${name}: nothing is at least a sum over no values`,
      );
      assert.equal(await groups([{ formula: "SUM({D:n}) - 5" }, m], "? < ?"), [
        ["A", 1],
        ["b", 7],
      ]);
      assert.equal(await groups([m, n, 10], "? between ? and ?"), [["A", 1]], name);
    }
  });

  test("a token's filter can compare columns of its dataset, and a query cannot change the result", async () => {
    for (const [name, host] of await hosts()) {
      const ids = async (filters: ReturnType<typeof rowFilter>[], more = {}) =>
        (await host.askAs(embedOf({ filters, ...more }), { dimensions: [ref("id")] })).data.flat();
      const m = { column_id: "m" };
      assert.equal(await ids([rowFilter("n", "? < ?", m)]), [0], name);
      assert.equal(await ids([rowFilter("n", "? != ?", m)]), [0, 1, 2], name);
      assert.equal(await ids([rowFilter("n", "? in ?", [m, 2])]), [1, 3], name);
      assert.equal(await ids([rowFilter("double", "? = ?", m)]), [0], name);
      assert.equal(await ids([rowFilter("n", "? between ?", [0, m])]), [0, 3], name);
      const hidden = { hiddenColumns: new Set(["m"]) };
      assert.equal(
        await ids([rowFilter("n", "? < ?", m)], hidden),
        [0],
        "a hidden column still filters",
      );
    }
    const [[, host] = []] = await hosts();
    for (const value of [
      { column_id: "gone" },
      { column_id: "s" },
      { column_id: "m", dataset_id: "E" },
      { column_id: "m", level: 1 },
      [{ column_id: "m" }, { parameter: "metadata.x", type: "numeric" }],
    ]) {
      const operator = Array.isArray(value) ? "? in ?" : "? = ?";
      const filters = [rowFilter("n", operator, value)];
      const requested = host!.askAs(embedOf({ filters }), { dimensions: [ref("id")] });
      assert.is((await refusal(requested)).code, "ROWS_CLOSED", JSON.stringify(value));
    }
  });

  test("a test can contain both a parameter and columns, and clearing the parameter removes the test", async () => {
    const [[, host] = []] = await hosts();
    const limit = { parameter: "metadata.most", type: "numeric", value: 1 };
    const where = [{ expression: "? between ? and ?", parameters: [ref("n"), limit, ref("m")] }];
    const ids = async (parameters: Map<string, ReturnType<typeof override>>) =>
      (await host!.askAs(embedOf({ parameters }), { dimensions: [ref("id")], where })).data.flat();
    assert.equal(await ids(new Map()), [0, 3]);
    assert.equal(await ids(new Map([["most", override(3)]])), [3]);
    assert.equal(await ids(new Map([["most", override(null, { clear: true })]])), [0, 1, 2, 3]);
  });

  test("comparing values of different types fails with 400, and the error names the path", async () => {
    const [[, host] = []] = await hosts();
    for (const [expression, parameters, message] of [
      ["? = ?", [ref("n"), ref("s")], /where\[0\]\.parameters .*numeric.*hierarchy/],
      ["? > ?", [ref("s"), ref("t")], /where\[0\]\.expression .*hierarchy/],
      ["? like ?", [ref("n"), ref("m")], /where\[0\]\.expression .*numeric/],
      ["? = ?", [ref("n"), [ref("m")]], /parameters\[1\] .*not a list/],
      ["? in ?", [ref("n"), ref("m")], /parameters\[1\] .*must have a list/],
      ["? is null", [ref("n"), ref("m")], /parameters\[1\] .*no value/],
      ["? = ?", [ref("n"), ref("gone")], /parameters\[1\]\.column_id/],
      ["? = ?", ["a", ref("n")], /parameters\[0\] .*must be a number/],
      ["? in ?", [ref("n"), [ref("m"), "a"]], /parameters\[1\]\[1\] .*must be a number/],
      ["? between ? and ?", [ref("n"), 1], /where\[0\]\.parameters .*\[column, value, value\]/],
      ["? = ?", [ref("n"), ref("m"), 1], /where\[0\]\.parameters/],
      ["? between ? and ?", [ref("n"), 1, "a"], /parameters\[2\] .*must be a number/],
      ["? between ? and ?", [5, "a", ref("n")], /parameters\[1\] .*must be a number/],
      ["? between ? and ?", [5, 1, 9], /parameters\[0\] .*must be an object/],
      ["? = ?", [ref("n"), ref("m", { aggregation: "sum" })], /parameters\[1\]\.aggregation/],
      ["last_now", [ref("w"), ref("v")], /parameters\[1\]\.column_id is unknown/],
    ] as const) {
      const requested = host!.sendQuery({
        dimensions: [ref("id")],
        where: [{ expression, parameters }],
      });
      const { status, message: text } = await refusal(requested);
      assert.is(status, 400);
      assert.match(text, message);
    }
  });
});
