import * as assert from "uvu/assert";
import { finishHash } from "../../../../engine/operators/output/finishHash.ts";
import { mergeVariance } from "../../../../engine/operators/output/finishDirect.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { DigestList } from "../../../../engine/operators/groups/laneDigests.ts";
import type { LaneGroups } from "../../../../engine/operators/groups/laneGroups.ts";
import { unifyTexts } from "../../../../engine/operators/rows/computedTexts.ts";
import type { BoundGrouping, BoundPlan } from "../../../../engine/plan/boundPlan.ts";
import { percentile } from "../../../../engine/sketches/quantile.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";

const of = { kind: "column", column: 0 } as const;
const made = {
  kind: "computed",
  of: { kind: "rows", type: "text", expression: { kind: "column", name: "a" }, inputs: [] },
} as const;

const grouping: BoundGrouping = {
  mode: "hash",
  capacity: 0,
  keys: [{ kind: "value", of }, made],
  slots: [
    { kind: "rows" },
    { kind: "countSum", right: { of, decimals: -1 }, isExact: false },
    { kind: "extent", of: { of, decimals: -1 } },
    { kind: "variance", of },
  ],
  rows: { slot: 0, lane: 0 },
  distincts: [{ kind: "number", of }, made],
  quantiles: [
    { of, decimals: -1, low: 0, factor: 0, bucketCount: 2, shift: -1, fractions: [0.25] },
  ],
  sketches: [of],
  digests: [of],
  outputs: [
    { kind: "key", key: 0 },
    { kind: "key", key: 1 },
    { kind: "count", count: { slot: 0, lane: 0 } },
    { kind: "sum", sum: { slot: 1, lane: 1 }, count: { slot: 1, lane: 0 }, decimals: -1 },
    { kind: "least", extent: 2, decimals: -1 },
    { kind: "greatest", extent: 2, decimals: -1 },
    { kind: "stddev", variance: 3 },
    { kind: "distinct", distinct: 0 },
    { kind: "firstText", distinct: 1 },
    { kind: "lastText", distinct: 1 },
    { kind: "percentile", quantile: 0, fraction: 0.25 },
    { kind: "approximatedistinct", sketch: 0 },
    { kind: "approximatepercentile", digest: 0, fraction: 0.75 },
  ],
};

interface FoldedRow {
  readonly key: number;
  readonly text: string | null;
  readonly value: number;
  readonly word: string | null;
}

function randomLane(random: Random): FoldedRow[] {
  const word = () =>
    random.chance(0.1) ? null : random.pick(["b", "a", "\u{1F600}", "\uFF5E", ""]);
  return Array.from({ length: random.pick([0, 1, 40, 900]) }, () => ({
    key: random.pick([NaN, 0, 1 / 3, -5]),
    text: word(),
    value: random.chance(0.1) ? NaN : random.below(50) / 4,
    word: word(),
  }));
}

/** Folds rows as a single lane does. Each lane assigns its own codes to computed strings. */
function foldLane(rows: readonly FoldedRow[]): LaneGroups {
  const groups = new Map<string, FoldedRow[]>();
  const keyTexts: string[] = [];
  const words: string[] = [];
  const codeOf = (texts: string[], text: string | null): number => {
    if (text === null) return 0;
    if (!texts.includes(text)) texts.push(text);
    return texts.indexOf(text) + 1;
  };
  for (const row of rows) {
    const key = `${row.key} ${String(row.text)} ${row.text === null}`;
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  const all = [...groups.values()];
  const pairs = (valueOf: (row: FoldedRow) => number, isNull: (value: number) => boolean) => {
    const found = all.flatMap((own, group) =>
      [...new Set(own.map(valueOf))]
        .filter((value) => !isNull(value))
        .map((value) => [group, value]),
    );
    return {
      groups: Float64Array.from(found, ([group]) => group),
      values: Float64Array.from(found, ([, value]) => value),
    };
  };
  const isNaN = (value: number) => value !== value;
  const listed = all.flatMap((own, group) =>
    own.filter(({ value }) => value === value).map(({ value }) => [group, value] as const),
  );
  const digest = new DigestList();
  for (const [group, value] of listed) digest.add(group, value);
  return {
    groupCount: all.length,
    keys: [
      Float64Array.from(all, ([{ key }]) => key),
      Float64Array.from(all, ([{ text }]) => codeOf(keyTexts, text)),
    ],
    keyTexts: [undefined, keyTexts],
    distinctTexts: [undefined, words],
    slots: [
      Float64Array.from(all.flatMap((own) => [own.length, 0])),
      Float64Array.from(
        all.flatMap((own) => {
          const values = own.map(({ value }) => value).filter((value) => value === value);
          return [values.length, values.reduce((sum, value) => sum + value, 0)];
        }),
      ),
      Float64Array.from(
        all.flatMap((own) => {
          const values = own.map(({ value }) => value).filter((value) => value === value);
          return [Math.min(Infinity, ...values), -Math.max(-Infinity, ...values)];
        }),
      ),
      Float64Array.from(
        all.flatMap((own) => {
          const state = new Float64Array(4);
          for (const { value } of own)
            if (value === value) mergeVariance(state, 0, Float64Array.of(1, value, 0), 0);
          return [...state];
        }),
      ),
    ],
    distincts: [
      pairs(({ value }) => value, isNaN),
      pairs(
        ({ word }) => codeOf(words, word),
        (code) => code === 0,
      ),
    ],
    lists: [
      {
        groups: Float64Array.from(listed, ([group]) => group),
        values: Float64Array.from(listed, ([, value]) => value),
      },
    ],
    // Each value has a register of its own, so that small counts are exact.
    sketches: [pairs(({ value }) => value * 4 * 64 * 7 + 1, isNaN)],
    digests: [digest.take()],
  };
}

suite("engine/operators/output/finishHash", (test) => {
  test("merging all lanes returns the groups of all their rows", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const heap = new Heap();
      for (let round = 0; round < 60; round++) {
        const lanes = Array.from({ length: 1 + random.below(4) }, () => randomLane(random));
        const having = random.chance(0.3);
        const byText = random.chance(0.5);
        const limit = { offset: random.below(3), count: random.below(12) };
        const plan: BoundPlan = {
          rowCount: 0,
          laneCount: lanes.length,
          columns: [],
          grouping,
          order: byText ? [{ output: 1, descending: true }] : [],
          ...(random.chance(0.4) && { limit }),
          ...(having && {
            having: {
              kind: "compare",
              left: { kind: "column", column: 2 },
              operator: ">",
              value: 3,
            },
          }),
        };
        const { columns, texts } = finishHash(plan, grouping, lanes.map(foldLane), heap);
        const found = Array.from(columns[0], (_, row) =>
          columns.map((column, output) => {
            const own = texts[output];
            if (own) return own[column[row] - 1] ?? null;
            return Number.isNaN(column[row]) ? null : column[row];
          }),
        );
        const expected = plainAnswer(lanes.flat(), plan);
        assert.is(found.length, expected.length);
        expected.forEach((cells, row) =>
          cells.forEach((cell, output) => {
            const value = found[row][output];
            const isNear =
              typeof cell === "number" &&
              typeof value === "number" &&
              Math.abs(value - cell) <= Math.abs(cell) * 1e-9;
            if (!isNear && value !== cell)
              assert.equal(found[row], cells, `row ${row}, output ${output}`);
          }),
        );
      }
    });
  });

  test("the dictionary that is merged from all lanes is ordered by code point", () => {
    const { texts, maps } = unifyTexts([["\uFF5E", "b"], undefined, ["\u{1F600}", "b", ""]]);
    assert.equal(texts, ["", "b", "\uFF5E", "\u{1F600}"]);
    assert.equal(
      maps.map((map) => map && [...map]),
      [[0, 3, 2], [0], [0, 4, 2, 1]],
    );
    assert.equal(unifyTexts([undefined, undefined]), {
      texts: undefined,
      maps: [undefined, undefined],
    });
  });
});

const codePoints = (text: string) =>
  Array.from(text, (character) => String(character.codePointAt(0)).padStart(8, "0")).join();

function plainAnswer(rows: readonly FoldedRow[], { having, order, limit }: BoundPlan) {
  const groups = new Map<string, FoldedRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([String(row.key), row.text]);
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  const answer = [...groups.values()].map((own) => {
    const values = Float64Array.from(own, ({ value }) => value).filter((value) => value === value);
    const count = values.length;
    const sum = values.reduce((total, value) => total + value, 0);
    const squares = values.reduce((total, value) => total + (value - sum / count) ** 2, 0);
    const words = own
      .flatMap(({ word }) => (word === null ? [] : [word]))
      .sort((left, right) => (codePoints(left) < codePoints(right) ? -1 : 1));
    const some = (value: number) => (count > 0 ? value : null);
    return [
      own[0].key === own[0].key ? own[0].key : null,
      own[0].text,
      own.length,
      some(sum),
      some(Math.min(...values)),
      some(Math.max(...values)),
      count > 1 ? Math.sqrt(squares / (count - 1)) : null,
      new Set(values).size,
      words[0] ?? null,
      words.at(-1) ?? null,
      some(percentile(values.slice(), 0, count, 0.25)),
      new Set(values).size,
      some(percentile(values.slice(), 0, count, 0.75)),
    ];
  });
  const textOf = (cells: readonly unknown[]) => cells[1] as string | null;
  const keyOf = (cells: readonly unknown[]) => (cells[0] as number | null) ?? Infinity;
  // Groups are in the requested order, then in the order of their keys. A null string comes first among keys.
  const byText = (left: readonly unknown[], right: readonly unknown[], nullFirst: boolean) => {
    const [a, b] = [textOf(left), textOf(right)];
    if (a === b) return 0;
    if (a === null || b === null) return (a === null) === nullFirst ? -1 : 1;
    return codePoints(a) < codePoints(b) ? -1 : 1;
  };
  const sorted = (having ? answer.filter((cells) => Number(cells[2]) > 3) : answer).sort(
    (left, right) => {
      if (order.length > 0) {
        const [a, b] = [textOf(left), textOf(right)];
        const difference = byText(left, right, false);
        if (difference !== 0) return a === null || b === null ? difference : -difference;
      }
      const [a, b] = [keyOf(left), keyOf(right)];
      return a === b ? byText(left, right, true) : a - b;
    },
  );
  return limit ? sorted.slice(limit.offset, limit.offset + limit.count) : sorted;
}
