import * as assert from "uvu/assert";
import { chooseBin } from "../../../../core/queries/subquery/chooseBin.ts";
import { limitsOf, type Cell } from "../../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../../support/plainHost.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { refusal } from "../../../support/refused.ts";
import { embedOf, rowFilter } from "../../../support/restricted.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";

const columns: readonly PlainColumn[] = [
  { id: "km", type: "numeric" },
  { id: "city", type: "hierarchy" },
];
const rows: readonly (readonly Cell[])[] = [
  [-0.5, "a"],
  [0, "a"],
  [49.9, "a"],
  [50, "a"],
  [120, "b"],
  [1000, "c"],
  [null, "c"],
];
const ref = (column_id: string, more: object = {}) => ({ column_id, dataset_id: "D", ...more });
const count = { column_id: "*", dataset_id: "D", aggregation: "count" };
const binned = (discretization: object) => ref("km", { discretization });
const linear = (more: object) => binned({ type: "linear", ...more });

suite("core/queries/resolve/bins", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("bins of a given width start at 0 or at the start of a given range, are half-open and ordered, and exclude null", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const of = async (dimension: object, more: object = {}) =>
        (await host.sendQuery({ dimensions: [dimension], measures: [count], ...more })).data;
      assert.equal(
        await of(linear({ size: 50 })),
        [
          ["[ -50 - 0 [", 1],
          ["[ 0 - 50 [", 2],
          ["[ 50 - 100 [", 1],
          ["[ 100 - 150 [", 1],
          ["[ 1000 - 1050 [", 1],
          [null, 1],
        ],
        name,
      );
      const over = linear({ bins: 10, over: [20, 1020] });
      assert.equal(
        await of(over, { order: [{ ...over, order: "desc" }] }),
        [
          ["[ 920 - 1020 [", 1],
          ["[ 120 - 220 [", 1],
          ["[ 20 - 120 [", 2],
          ["[ -80 - 20 [", 2],
          [null, 1],
        ],
        name,
      );
    }
  });

  test("a requested number of bins covers the rows that pass the filters and are visible to the caller", async () => {
    const where = [{ expression: "? in ?", parameters: [ref("city"), ["a", "b"]] }];
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const dimension = linear({ bins: 4 });
      const data = async (more: object) =>
        (await host.sendQuery({ dimensions: [dimension], measures: [count], ...more })).data;
      assert.equal(
        await data({}),
        [
          ["[ -500 - 0 [", 1],
          ["[ 0 - 500 [", 4],
          ["[ 1000 - 1500 [", 1],
          [null, 1],
        ],
        name,
      );
      assert.equal(
        await data({ where, order: [{ ...dimension, order: "desc" }] }),
        [
          ["[ 100 - 150 [", 1],
          ["[ 50 - 100 [", 1],
          ["[ 0 - 50 [", 2],
          ["[ -50 - 0 [", 1],
        ],
        name,
      );
      const principal = embedOf({ filters: [rowFilter("city", "? = ?", "a")] });
      const seen = await host.askAs(principal, { dimensions: [dimension], measures: [count] });
      assert.equal(
        seen.data,
        [
          ["[ -20 - 0 [", 1],
          ["[ 0 - 20 [", 1],
          ["[ 40 - 60 [", 2],
        ],
        name,
      );
      const none = [{ expression: "? = ?", parameters: [ref("city"), "nowhere"] }];
      assert.equal(await data({ where: none }), [], name);
    }
  });

  test("plain rows show the bin of each value", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const answer = await host.sendQuery({
        dimensions: [ref("city"), linear({ size: 100 })],
        limit: { by: 2 },
        options: { rollup_data: false },
      });
      assert.equal(
        answer.data.map((row) => row[1]),
        ["[ -100 - 0 [", "[ 0 - 100 ["],
        name,
      );
    }
  });

  test("one query can return both the values of a column and their bins", async () => {
    const host = await createPlainHost({ columns, rows });
    const answer = await host.sendQuery({
      dimensions: [linear({ size: 100 }), ref("km")],
      where: [{ expression: "? > ?", parameters: [ref("km"), 49] }],
      order: [ref("km", { order: "desc", discretization: { type: "linear", size: 100 } })],
    });
    assert.equal(answer.data, [
      ["[ 1000 - 1100 [", 1000],
      ["[ 100 - 200 [", 120],
      ["[ 0 - 100 [", 49.9],
      ["[ 0 - 100 [", 50],
    ]);
  });

  test("bins that the host chooses cover every value, with round limits and no more bins than requested", () => {
    const random = createRandom(7);
    for (let index = 0; index < rounds({ quick: 300, deep: 3_000 }); index++) {
      const scale = 10 ** (random.below(40) - 20);
      const [one, other] = [(random.below(20_001) - 10_000) * scale, random.below(5_000) * scale];
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const wanted = random.chance(0.2) ? 1 : 1 + random.below(30);
      const bin = chooseBin(wanted, low, high);
      const { limit, indexOf } = limitsOf(bin);
      const [first, last] = [indexOf(low), indexOf(high)];
      const about = `${wanted} bins from ${low} to ${high}: ${last - first + 1} of ${bin.width} from ${bin.origin}`;
      assert.ok(last - first < wanted, about);
      assert.ok(limit(first) <= low && limit(last + 1) > high, about);
      if (bin.origin === 0) assert.match(bin.width.toExponential(), /^[125]e/, about);
      else {
        assert.is(bin.width, -2 * bin.origin, about);
        assert.match(bin.origin.toExponential(), /^-[125]e/, about);
        assert.is(wanted, 1, about);
      }
    }
    assert.equal(chooseBin(10, null, null), { width: 0.1, origin: 0 });
    assert.equal(chooseBin(1, -5, 14), { width: 40, origin: -20 });
    assert.equal(chooseBin(1, 3, 14), { width: 20, origin: 0 });
    assert.equal(chooseBin(1, -14, -3), { width: 20, origin: 0 });
    assert.equal(chooseBin(1, 0, 0), { width: 1, origin: 0 });
    assert.equal(chooseBin(2, -5, 14), { width: 20, origin: 0 });
    const whole = chooseBin(3, -Number.MAX_VALUE, Number.MAX_VALUE);
    assert.ok(whole.width > 0 && Number.isFinite(whole.width));
  });

  test("the limits in a bin's label enclose every value of the bin, for widths and origins of every magnitude", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const decimal = (digits: number, places: number) => Number(`${digits}e-${places}`);
      const hundredths = Array.from({ length: 2001 }, (_, index) => decimal(index - 1000, 2));
      const cases: (readonly [object, readonly number[]])[] = [
        [{ size: 0.1 }, hundredths],
        [{ size: 0.1, over: [0.05, 1] }, hundredths.slice(900, 1100)],
        [{ bins: 10, over: [0, 0.7] }, hundredths.slice(900, 1100)],
        [{ bins: 3, over: [0, 1] }, [...hundredths.slice(900, 1100), 1 / 3, 2 / 3]],
        [{ bins: 37 }, hundredths.slice(3, 777)],
      ];
      for (let index = 0; index < rounds({ quick: 3, deep: 10 }); index++) {
        const places = random.below(8);
        const size = decimal(1 + random.below(999), places);
        const origin = decimal(random.below(2000) - 1000, random.below(places + 2));
        const scale = random.pick([1, 1, 1e3, 1e9]);
        const values = Array.from({ length: 60 }, () =>
          random.chance(0.5)
            ? decimal(random.below(200_000) - 100_000, places) * scale
            : Number((origin + (random.below(200) - 100) * size).toPrecision(12)),
        );
        cases.push([random.chance(0.5) ? { size } : { size, over: [origin, origin + 1] }, values]);
      }
      for (const [discretization, values] of cases) {
        const distinct = [...new Set(values.map((value) => value + 0))];
        for (const [name, host] of await sources.hosts({
          columns: columns.slice(0, 1),
          rows: distinct.map((value) => [value]),
        })) {
          const dimension = linear(discretization);
          const { data } = await host.sendQuery({ dimensions: [dimension, ref("km")] });
          assert.is(data.length, distinct.length, name);
          for (const [label, value] of data) {
            const [, low, high] = /^\[ (\S+) - (\S+) \[$/.exec(String(label)) ?? [];
            const about = `${name} ${JSON.stringify(discretization)} ${String(value)} in ${String(label)}`;
            assert.ok(Number(low) <= Number(value) && Number(value) < Number(high), about);
          }
        }
      }
    });
    const host = await createPlainHost({ columns: columns.slice(0, 1), rows: [[0.3], [-0.3]] });
    assert.equal((await host.sendQuery({ dimensions: [linear({ size: 0.1 })] })).data, [
      ["[ -0.3 - -0.2 ["],
      ["[ 0.3 - 0.4 ["],
    ]);
    const seventh = { dimensions: [linear({ bins: 10, over: [0, 0.7] })] };
    assert.equal((await host.sendQuery(seventh)).data, [
      ["[ -0.35 - -0.28 ["],
      ["[ 0.28 - 0.35 ["],
    ]);
  });

  test("the limits of bins are exactly the decimals origin + k * width", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let index = 0; index < rounds({ quick: 400, deep: 5_000 }); index++) {
        const places = random.below(9);
        const [digits, from] = [1 + random.below(9_999), random.below(20_001) - 10_000];
        const width = Number(`${digits}e-${places}`);
        const origin = Number(`${from}e-${places}`);
        const at = random.below(2_000_001) - 1_000_000;
        const limit = Number(`${BigInt(from) + BigInt(at) * BigInt(digits)}e-${places}`);
        const bin = { width, origin };
        const about = `${width} from ${origin} at ${at}`;
        assert.is(limitsOf(bin).limit(at), limit, about);
        assert.is(limitsOf(bin).indexOf(limit), at, about);
        assert.is(limitsOf(bin).startOf(limit), limit, about);
      }
    });
  });

  test("a filter on bins compares the start of each bin with a number or with the start in a label", async () => {
    const cases: readonly [object, string, unknown, number][] = [
      [linear({ size: 50 }), "? = ?", "[ 0 - 50 [", 2],
      [linear({ size: 50 }), "? = ?", 0, 2],
      [linear({ size: 50 }), "? = ?", 10, 0],
      [linear({ size: 50 }), "? != ?", 0, 5],
      [linear({ size: 50 }), "? in ?", ["[ -50 - 0 [", "[ 1000 - 1050 [", null], 3],
      [linear({ size: 50 }), "? not in ?", [0, 50], 4],
      [linear({ size: 50 }), "? < ?", "[ 50 - 100 [", 3],
      [linear({ size: 50 }), "? >= ?", 51, 2],
      [linear({ size: 50 }), "? between ?", ["[ 0 - 50 [", "[ 50 - 100 ["], 3],
      [linear({ size: 50 }), "? is null", undefined, 1],
      [linear({ bins: 10, over: [20, 1020] }), "? = ?", "[ -80 - 20 [", 2],
      [linear({ size: 0.1 }), "? = ?", "[ 49.9 - 50 [", 1],
      [linear({ size: 0.1 }), "? = ?", 49.9, 1],
      [linear({ size: 50 }), "? = ?", 50.00001, 0],
      [linear({ size: 50 }), "? != ?", 50.00001, 7],
      [linear({ size: 0.1 }), "? in ?", [49.9, 50.05, null], 2],
      [linear({ size: 0.1 }), "? not in ?", [49.9, 50.05, null], 5],
      [linear({ size: 0.1 }), "? > ?", 49.9, 3],
      [linear({ size: 0.1 }), "? <= ?", "[ 49.9 - 50 [", 3],
      [linear({ size: 0.1 }), "? is not null", undefined, 6],
      [linear({ size: 50 }), "? in ?", [], 0],
      [linear({ size: 50 }), "? not in ?", [], 7],
    ];
    for (const [name, host] of await sources.hosts({ columns, rows }))
      for (const [reference, expression, value, expected] of cases) {
        const where = [{ expression, parameters: [reference, value] }];
        const { data } = await host.sendQuery({ measures: [count], where });
        assert.equal(data, [[expected]], `${name} ${expression} ${JSON.stringify(value)}`);
      }
  });

  test("a filter on the label of a bin keeps exactly the rows counted in that bin", async () => {
    const random = createRandom();
    for (let index = 0; index < rounds({ quick: 4, deep: 20 }); index++) {
      const size = random.pick([0.1, 0.3, 7, 1 / 3, 1e-7, 1e9]);
      const low = (random.below(2000) - 1000) * random.pick([0.1, 1, 0.37]);
      const over = random.chance(0.5) ? { over: [low, low + 1] } : {};
      const many = Array.from({ length: 30 }, (): Cell[] => [
        random.chance(0.1) ? null : (random.below(400) - 200) * size * random.pick([1, 0.5, 0.9]),
      ]);
      const host = await createPlainHost({ columns: columns.slice(0, 1), rows: many });
      const reference = linear({ size, ...over });
      const { data } = await host.sendQuery({ dimensions: [reference], measures: [count] });
      for (const [label, inBin] of data) {
        const isNull = label === null;
        const where = [
          isNull
            ? { expression: "? is null", parameters: [reference] }
            : { expression: "? = ?", parameters: [reference, label] },
        ];
        const found = await host.sendQuery({ measures: [count], where });
        assert.equal(found.data, [[inBin]], `SEED=${random.seed} ${JSON.stringify([size, label])}`);
      }
    }
  });

  test("an aggregation of bins uses the numbers at which they start, and plain rows show bins by label", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const bins = (aggregation: unknown, discretization: object = { type: "linear", size: 50 }) =>
        ref("km", { discretization, aggregation });
      const measures = ["distinctcount", "min", "max", "sum", "count"].map((each) => bins(each));
      assert.equal((await host.sendQuery({ measures })).data, [[5, -50, 1000, 1100, 6]], name);
      const groups = {
        dimensions: [ref("city")],
        measures: [bins("max"), ref("km", { aggregation: "max" })],
        having: [{ expression: "? > ?", parameters: [bins("min"), -51] }],
        order: [{ ...bins("max"), order: "desc" }],
      };
      const text = (id: string) => ({ id, name: { en: id } });
      assert.equal(
        (await host.sendQuery(groups)).data,
        [
          [text("c"), 1000, 1000],
          [text("b"), 100, 120],
          [text("a"), 50, 50],
        ],
        name,
      );
      const tenths = (aggregation: string) => bins(aggregation, { type: "linear", size: 0.1 });
      assert.equal(
        (await host.sendQuery({ measures: [tenths("min"), tenths("max"), tenths("count")] })).data,
        [[-0.5, 1000, 6]],
        name,
      );
      const open = bins("distinctcount", { type: "linear", bins: 3 });
      assert.equal((await host.sendQuery({ measures: [open] })).data, [[3]], name);
      const raw = { measures: [bins("sum")], options: { rollup_data: false }, limit: { by: 2 } };
      assert.equal((await host.sendQuery(raw)).data, [["[ -50 - 0 ["], ["[ 0 - 50 ["]], name);
    }
  });

  test("weights can be columns, expressions or the starts of bins", async () => {
    const weight = (more: object) =>
      ref("km", { aggregation: { type: "weightedaverage", dataset_id: "D", ...more } });
    for (const [name, host] of await sources.hosts({ columns, rows: rows.slice(1, 5) })) {
      const measures = [
        weight({ column_id: "km" }),
        weight({ expression: "{D:km} + 1" }),
        weight({ expression: "{D:km} + 1", column_id: "more", level: null, unnest: false }),
        weight({ column_id: "km", discretization: { type: "linear", size: 50 } }),
      ];
      const [whole = []] = (await host.sendQuery({ measures })).data;
      const km = [0, 49.9, 50, 120];
      const mean = (weights: readonly number[]) => {
        const sum = km.reduce((total, value, index) => total + value * (weights[index] ?? 0), 0);
        return sum / weights.reduce((total, value) => total + value, 0);
      };
      const more = mean(km.map((value) => value + 1));
      assert.equal(
        whole.map((cell) => Number(Number(cell).toPrecision(12))),
        [mean(km), more, more, mean([0, 0, 50, 100])].map((each) => Number(each.toPrecision(12))),
        name,
      );
      const order = [{ ...measures[1], order: "desc" }];
      const sorted = await host.sendQuery({ dimensions: [ref("city")], measures, order });
      assert.equal(
        sorted.data.map(([city]) => (city as { id: string }).id),
        ["b", "a"],
        name,
      );
    }
  });

  test("bins of an unsuitable column, and bins without a fixed width in a filter, fail with 400", async () => {
    const host = await createPlainHost({ columns, rows });
    const discretization = { type: "linear", bins: 3 };
    const is = (reference: object, value: unknown) => [
      { expression: "? = ?", parameters: [reference, value] },
    ];
    const weighted = (more: object) => ({
      measures: [ref("km", { aggregation: { type: "weightedaverage", dataset_id: "D", ...more } })],
    });
    const cases: readonly (readonly [object, RegExp])[] = [
      [
        { dimensions: [ref("city", { discretization })] },
        /dimensions\[0\]\.discretization.*only numeric columns have bins/,
      ],
      [
        { measures: [ref("city", { discretization: { type: "linear", size: 1 } })] },
        /measures\[0\]\.discretization.*only numeric columns have bins/,
      ],
      [
        { measures: [{ ...count, discretization: { type: "linear", size: 1 } }] },
        /measures\[0\]\.discretization.*cannot have bins/,
      ],
      [
        { measures: [count], where: is(ref("km", { discretization }), 1) },
        /where\[0\]\.parameters\[0\]\.discretization\.bins.*set size, or set over/,
      ],
      [
        { measures: [count], where: is(ref("city", { discretization }), 1) },
        /where\[0\]\.parameters\[0\]\.discretization.*numeric/,
      ],
      ...["[ 0 - 40 [", "[ 10 - 60 [", "[ 0 - 50.00001 [", "0", "[ a - b [", "[0]", ""].map(
        (label) =>
          [
            { measures: [count], where: is(linear({ size: 50 }), label) },
            /where\[0\]\.parameters\[1\].*its label, such as \[ 0 - 50 \[/,
          ] as const,
      ),
      [
        {
          measures: [count],
          where: [{ expression: "? like ?", parameters: [linear({ size: 5 }), "0"] }],
        },
        /like.*hierarchy/,
      ],
      [
        {
          dimensions: [linear({ size: 10 })],
          order: [ref("km", { discretization: { type: "linear", size: 20 } })],
        },
        /order\[0\].*must be a dimension/,
      ],
      [
        weighted({ column_id: "km", level: 3 }),
        /aggregation\.level.*the second column of weightedaverage must be numeric/,
      ],
      [weighted({ column_id: "*" }), /aggregation\.column_id.*a numeric column/],
      [
        weighted({ expression: "upper({D:city})" }),
        /the second column of weightedaverage must be numeric/,
      ],
      [weighted({ expression: "{D:km} +" }), /aggregation\.expression/],
      [
        weighted({ column_id: "city", discretization }),
        /the second column of weightedaverage must be numeric/,
      ],
    ];
    for (const [query, message] of cases) {
      const refused = await refusal(host.sendQuery(query));
      assert.match(refused.message, message);
      assert.is(refused.code, "MEMBER_INVALID", refused.message);
    }
  });
});
