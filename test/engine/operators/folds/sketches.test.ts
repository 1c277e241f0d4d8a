import * as assert from "uvu/assert";
import { Memory } from "../../../../engine/memory/memory.ts";
import { DigestList, digestPercentiles } from "../../../../engine/operators/groups/laneDigests.ts";
import { bindPlan } from "../../../../engine/plan/bindPlan.ts";
import { Pool } from "../../../../engine/pool/pool.ts";
import { percentile } from "../../../../engine/sketches/quantile.ts";
import {
  addToDigest,
  digestDoubles,
  estimatePercentile,
  mergeDigest,
} from "../../../../engine/sketches/tDigest.ts";
import { Table } from "../../../../engine/table/table.ts";
import type { Expression, Output, Plan } from "../../../../engine/types.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const rowCount = 65_536 * 2 + 3000;
const column = (name: string): Expression => ({ kind: "column", name });
/**
 * An expression for the column's values, of which no bounds are known. If bounds were known, distinct values would be
 * counted exactly.
 */
const unbounded: Expression = {
  kind: "call",
  function: "divide",
  of: [column("x"), { kind: "literal", type: "number", value: 1 }],
};
const fold = (name: "approximatedistinctcount" | "approximatepercentile", fraction?: number) =>
  ({
    kind: "aggregate",
    function: name,
    of: unbounded,
    ...(fraction !== undefined && { fraction }),
  }) satisfies Output;

const fractions = [0, 0.01, 0.5, 0.9, 0.99, 1];
/** Approximate measures, and a sum. The sum depends on the order of rows, as digests do. */
const measures: readonly Output[] = [
  fold("approximatedistinctcount"),
  ...fractions.map((fraction) => fold("approximatepercentile", fraction)),
  { kind: "aggregate", function: "sum", of: column("x") },
];

suite("engine/operators/folds/sketches", (test) => {
  test.deep(
    "sketches of numbered groups and of hashed groups agree and stay within their error bounds",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        const memory = new Memory({ budgetBytes: 2 ** 28 });
        const pool = new Pool({ workers: 2, memory });
        const table = new Table("t", memory, true, 0);
        // Group 0 has most of the rows, and group 7 only a few.
        const groups = Float64Array.from({ length: rowCount }, () =>
          random.chance(0.001) ? 7 : Math.min(random.below(7), random.below(7)),
        );
        const values = Float64Array.from(groups, (group) =>
          random.chance(0.1) ? NaN : random.below(2 ** (12 + group * 2)) / 3,
        );
        const numbers = [groups, values].map((each) => ({ type: "number" as const, values: each }));
        table.apply({
          add: ["g", "x"].map((name) => ({ name, type: "number" as const })),
          rows: { names: ["g", "x"], batch: { rowCount, columns: numbers } },
        });
        const hashed: Expression = {
          kind: "call",
          function: "divide",
          of: [column("g"), { kind: "literal", type: "number", value: 7 }],
        };
        const [direct, hash] = await Promise.all(
          [column("g"), hashed].map(async (of, index) => {
            const plan: Plan = {
              table: "t",
              grouped: true,
              outputs: [{ kind: "key", of }, ...measures],
              order: [{ output: 0, descending: false }],
            };
            const bound = bindPlan(plan, new Map([["t", table.snapshot()]]), memory).plan;
            assert.is(bound.grouping?.mode, index === 0 ? "direct" : "hash");
            assert.is(bound.grouping?.sketches.length, 1);
            assert.is(bound.grouping?.digests.length, 1);
            return (await pool.run(bound)).columns;
          }),
        );
        for (let group = 0; group < 8; group++) {
          const own = values.filter((value, row) => groups[row] === group && value === value);
          const distinct = new Set(own).size;
          const found = direct[1][group];
          assert.ok(Math.abs(found - distinct) <= 1 + distinct * 0.04, `${found} of ${distinct}`);
          const sorted = own.slice().sort();
          const sum = own.reduce((total, value) => total + value, 0);
          assert.ok(Math.abs(direct[direct.length - 1][group] - sum) <= 1e-9 * sum);
          fractions.forEach((fraction, index) => {
            const slack =
              (2 * 2 * Math.PI * Math.sqrt(fraction * (1 - fraction))) / 200 + 2 / own.length;
            const at = (share: number) =>
              percentile(sorted, 0, sorted.length, Math.min(1, Math.max(0, share)));
            const value = direct[2 + index][group];
            const isWithin = value >= at(fraction - slack) && value <= at(fraction + slack);
            assert.ok(isWithin, `percentile ${fraction} of group ${group}: ${value}`);
          });
        }
        for (let output = 1; output < direct.length; output++) {
          const name = `output ${output}`;
          if (output === 1) assert.equal([...direct[output]], [...hash[output]], name);
          else
            direct[output].forEach((value, group) => {
              const other = hash[output][group];
              const isNear = Math.abs(value - other) <= 0.05 * Math.abs(value) + 1;
              assert.ok(isNear, `${name}: ${value} and ${other}`);
            });
        }
        await pool.close();
      });
    },
  );

  test("approximate aggregates are exact if exact states are small or sketches would be too large", async () => {
    const memory = new Memory({ budgetBytes: 2 ** 28 });
    const table = new Table("t", memory, true, 0);
    const many = Float64Array.from({ length: 5000 }, (_, row) => row);
    const parts = Float64Array.from(many, (row) => row / 3);
    const texts = {
      type: "text" as const,
      codes: Int32Array.from(many, () => 0),
      dictionary: ["a"],
    };
    table.apply({
      add: [
        { name: "g", type: "number" },
        { name: "x", type: "number" },
        { name: "few", type: "text" },
      ],
      rows: {
        names: ["g", "x", "few"],
        batch: {
          rowCount: 5000,
          columns: [{ type: "number", values: many }, { type: "number", values: parts }, texts],
        },
      },
    });
    const bound = (outputs: readonly Output[]) =>
      bindPlan({ table: "t", grouped: true, outputs }, new Map([["t", table.snapshot()]]), memory)
        .plan.grouping;
    const few = {
      kind: "aggregate",
      function: "approximatedistinctcount",
      of: column("few"),
    } as const;
    const whole = { ...fold("approximatepercentile", 0.5), of: column("g") };
    const small = bound([few, whole]);
    assert.equal([small?.sketches.length, small?.digests.length], [0, 0]);
    assert.equal([small?.distincts.length, small?.quantiles.length], [1, 1]);
    const counted = bound([{ ...fold("approximatepercentile", 0.5), of: column("x") }]);
    assert.equal([counted?.digests.length, counted?.quantiles.length], [0, 1]);
    const large = bound([{ kind: "key", of: column("g") }, fold("approximatepercentile", 0.5)]);
    assert.equal([large?.digests.length, large?.quantiles.length], [0, 1]);
    const hashed = bound([{ kind: "key", of: column("g") }, fold("approximatedistinctcount")]);
    assert.is(hashed?.mode, "hash");
    assert.is(hashed?.sketches.length, 1);
  });
});

suite("engine/operators/groups/laneDigests", (test) => {
  test("a lane's digests equal digests of its values in order, whenever buffered values are added", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const groupCount = 6;
      const lanes = Array.from({ length: 3 }, () => {
        const count = random.pick(rounds({ quick: [0, 100, 20_000], deep: [0, 100, 200_000] }));
        return Array.from({ length: count }, () => ({
          group: random.chance(0.002) ? 4 : random.below(4),
          value: random.below(2 ** 30) / 7,
        }));
      });
      const order = [3, 0, 5, 2, 1, 4];
      const found = digestPercentiles(
        lanes.map((lane) => {
          const list = new DigestList();
          for (const { group, value } of lane) list.add(group, value);
          return list.take();
        }),
        lanes.map(() => Uint32Array.from(order)),
        groupCount,
        fractions,
      );
      for (let group = 0; group < groupCount; group++) {
        const merged = new Float64Array(digestDoubles);
        for (const lane of lanes) {
          const own = lane.filter((row) => order[row.group] === group).map(({ value }) => value);
          const digest = new Float64Array(digestDoubles);
          addToDigest(digest, Float64Array.from(own), own.length);
          mergeDigest(merged, digest);
        }
        fractions.forEach((fraction, index) => {
          const expected = estimatePercentile(merged, fraction);
          assert.ok(Object.is(found[index][group], expected), `group ${group} at ${fraction}`);
        });
      }
    });
  });
});
