import * as assert from "uvu/assert";
import { chooseBin } from "../../../core/queries/chooseBin.ts";
import type { Cell } from "../../../plugins/protocol/index.ts";
import { openEverySource, type EverySource } from "../../support/everySource.ts";
import { createPlainHost, type PlainColumn } from "../../support/plainHost.ts";
import { createRandom } from "../../support/random.ts";
import { refusal } from "../../support/refused.ts";
import { embedOf, rowFilter } from "../../support/restricted.ts";
import { suite } from "../../support/suite.ts";

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

suite("core/queries/bins", (test) => {
  let sources: EverySource;
  test.before(async () => {
    sources = await openEverySource();
  });
  test.after(() => sources.close());

  test("bins of a width start at 0 or at the low end, are half open and in order, null is its own", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const of = async (dimension: object, more: object = {}) =>
        (await host.ask({ dimensions: [dimension], measures: [count], ...more })).data;
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

  test("a number of bins covers the rows that pass the filters and that the caller may see", async () => {
    const where = [{ expression: "? in ?", parameters: [ref("city"), ["a", "b"]] }];
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const dimension = linear({ bins: 4 });
      const data = async (more: object) =>
        (await host.ask({ dimensions: [dimension], measures: [count], ...more })).data;
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

  test("raw rows show the bin of each value", async () => {
    for (const [name, host] of await sources.hosts({ columns, rows })) {
      const answer = await host.ask({
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

  test("the values and the bins of a column stand side by side", async () => {
    const host = await createPlainHost({ columns, rows });
    const answer = await host.ask({
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

  test("chosen bins are at most so many, hold every value and are of widths that people read", () => {
    const random = createRandom(7);
    for (let index = 0; index < 3_000; index++) {
      const scale = 10 ** (random.below(40) - 20);
      const [one, other] = [(random.below(20_001) - 10_000) * scale, random.below(5_000) * scale];
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      const wanted = 1 + random.below(30);
      const { width, origin } = chooseBin(wanted, low, high);
      const used = Math.floor((high - origin) / width) - Math.floor((low - origin) / width) + 1;
      const about = `${wanted} bins from ${low} to ${high}: ${used} of ${width} from ${origin}`;
      assert.ok(used <= wanted, about);
      assert.match(width.toExponential(), /^[125]e/, about);
      assert.ok(origin === 0 || origin === low, about);
    }
    assert.equal(chooseBin(10, null, null), { width: 0.1, origin: 0 });
    const whole = chooseBin(3, -Number.MAX_VALUE, Number.MAX_VALUE);
    assert.ok(whole.width > 0 && Number.isFinite(whole.width));
  });

  test("bins of texts, of measures and of filters are 400", async () => {
    const host = await createPlainHost({ columns, rows });
    const discretization = { type: "linear", bins: 3 };
    const cases: readonly (readonly [object, string, RegExp])[] = [
      [
        { dimensions: [ref("city", { discretization })] },
        "MEMBER_INVALID",
        /dimensions\[0\]\.discretization.*only numeric columns have bins/,
      ],
      [
        { measures: [ref("km", { discretization })] },
        "QUERY_NOT_SERVED",
        /measures\[0\]\.discretization.*dimensions have bins/,
      ],
      [
        {
          dimensions: [ref("km")],
          where: [{ expression: "? = ?", parameters: [ref("km", { discretization }), 1] }],
        },
        "QUERY_NOT_SERVED",
        /where\[0\]\.parameters\[0\]\.discretization/,
      ],
      [
        {
          dimensions: [linear({ size: 10 })],
          order: [ref("km", { discretization: { type: "linear", size: 20 } })],
        },
        "MEMBER_INVALID",
        /order\[0\].*no dimension/,
      ],
    ];
    for (const [query, code, message] of cases) {
      const refused = await refusal(host.ask(query));
      assert.match(refused.message, message);
      assert.is(refused.code, code, refused.message);
    }
  });
});
