import * as assert from "uvu/assert";
import { compileHashGroups } from "../../../../engine/operators/groups/hashGroups.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import type { LaneGroups, ValuePairs } from "../../../../engine/operators/groups/laneGroups.ts";
import { slotBytes } from "../../../../engine/plan/stateLayout.ts";
import type { BoundGrouping, BoundKey } from "../../../../engine/plan/boundPlan.ts";
import { hashDoubles } from "../../../../engine/sketches/hashDoubles.ts";
import { sketchEntry } from "../../../../engine/sketches/hyperLogLog.ts";
import { rounds } from "../../../support/layer.ts";
import { createRandom, withSeed, type Random } from "../../../support/random.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { near, plainSlot } from "../plainSlot.ts";
import { floors, plainCode, plainValue, start, type PlainRow } from "../plainTwin.ts";
import { cardinality, makeTable, randomValue, type GeneratedTable } from "../randomBound.ts";
import { isSmall, randomKey, wholeKey } from "../randomKey.ts";
import { randomSlots } from "../randomSlots.ts";
import { compileOver, openMemory, randomRowCounts } from "../vectorRun.ts";

/** Returns a key that concatenates two strings; null if either of them is null. */
function computedText(table: GeneratedTable): Extract<BoundKey, { kind: "computed" }> {
  const inputs = table.codes.map((column) => ({
    name: `c${column}`,
    join: undefined,
    of: {
      kind: "text" as const,
      texts: Array.from({ length: cardinality }, (_, code) => `${column}:${code % 9}`),
      textCount: cardinality,
      code: { kind: "byCode" as const, column },
    },
  }));
  const of = inputs.map(({ name }) => ({ kind: "column" as const, name }));
  const expression = { kind: "call", function: "concat", of } as const;
  return { kind: "computed", of: { kind: "rows", type: "text", expression, inputs } };
}

function plainText({ of }: ReturnType<typeof computedText>, at: PlainRow): string | null {
  const parts = of.inputs.map((input) =>
    input.of.kind === "text" ? (input.of.texts[plainCode(input.of.code, at) - 1] ?? null) : null,
  );
  return parts.every((part) => part !== null) ? parts.join("") : null;
}

/** Returns a key's value in a row: a stored code, a string, or a number with null for NaN. */
function plainKey(key: BoundKey, at: PlainRow): number | string | null {
  if (key.kind === "text") return plainCode(key.code, at);
  if (key.kind === "computed") return plainText(key, at);
  const value = plainValue(key.of, at);
  if (Number.isNaN(value)) return null;
  if (key.kind !== "period") return value + 0;
  const { period, zone } = floors.get(key.floor)!;
  return start(value, period, zone);
}

function randomGrouping(random: Random, table: GeneratedTable): BoundGrouping {
  const keys: BoundKey[] = [];
  for (let count = random.below(4); count > 0; count--) {
    const numbered = () => {
      for (;;) {
        const key = randomKey(random, table);
        if (isSmall([key], 2 ** 32)) return key;
      }
    };
    keys.push(
      random.pick<() => BoundKey>([
        numbered,
        numbered,
        () => ({ kind: "value", of: randomValue(random, table, 1) }),
        () => computedText(table),
      ])(),
    );
  }
  const whole = wholeKey(table.columns, 0);
  const number = { kind: "column", column: 1 } as const;
  const isWhole = whole.cardinality < 2 ** 31;
  return {
    mode: "hash",
    capacity: 0,
    keys,
    slots: randomSlots(random, table),
    rows: { slot: 0, lane: 0 },
    distincts: [
      { kind: "code", code: { kind: "byCode", column: 3 }, cardinality },
      { kind: "number", of: number },
      computedText(table),
      ...(isWhole ? [{ ...whole, cardinality: whole.cardinality - 1 }] : []),
    ],
    quantiles: [
      {
        of: number,
        decimals: -1,
        low: 0,
        factor: 0,
        bucketCount: 2,
        shift: -1,
        fractions: [],
      },
    ],
    sketches: [number],
    digests: [number],
    outputs: [],
  };
}

suite("engine/operators/groups/hashGroups", (test) => {
  test("a lane finds every group of its rows, with the group's states and key values", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const heap = new Heap();
      for (let round = 0; round < rounds({ quick: 2, deep: 10 }); round++) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random), random.chance(0.7));
        const table = makeTable(maker, random.chance(0.6));
        const { columns } = table;
        const grouping = randomGrouping(random, table);
        heap.clear();
        const { operator, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => compileHashGroups(grouping, heap, compilation),
        );
        let inLane: PlainRow[] = [];
        columns[0].groups.forEach(({ length }, group) => {
          openRowGroup(group);
          operator.openRowGroup();
          for (let start = 0; start < length; start += 4096) {
            const rows = openVector(group, start);
            if (rows.length === 0) continue;
            operator.fold();
            inLane.push(...rows.map((row) => ({ columns, group, row })));
          }
          if (random.chance(0.3)) {
            checkLane(operator.take(), inLane, grouping);
            inLane = [];
          }
        });
        checkLane(operator.take(), inLane, grouping);
      }
    });
  });
});

function checkLane(found: LaneGroups, rows: readonly PlainRow[], grouping: BoundGrouping): void {
  const { keys, slots } = grouping;
  const members = new Map<string, PlainRow[]>();
  if (keys.length === 0) members.set("[]", []);
  for (const at of rows) {
    const key = JSON.stringify(keys.map((each) => plainKey(each, at)));
    const known = members.get(key);
    if (known) known.push(at);
    else members.set(key, [at]);
  }
  const names = Array.from({ length: found.groupCount }, (_, group) =>
    JSON.stringify(
      keys.map((key, index) => {
        const value = found.keys[index][group];
        if (key.kind === "computed") return found.keyTexts[index]?.[value - 1] ?? null;
        return Number.isNaN(value) ? null : value + 0;
      }),
    ),
  );
  assert.equal(
    names,
    [...members.keys()],
    "hashed groups are returned in the order of their first row",
  );
  const pairsOf = ({ groups, values }: ValuePairs, valueOf: (value: number) => unknown) =>
    Array.from(groups, (group, row) => `${names[group]} ${String(valueOf(values[row]))}`);
  const plainPairs = (valueOf: (at: PlainRow) => unknown) =>
    [...members].flatMap(([name, all]) =>
      all.map(valueOf).flatMap((value) => (value === null ? [] : [`${name} ${String(value)}`])),
    );
  names.forEach((name, group) => {
    slots.forEach((slot, index) => {
      const width = slotBytes(slot) / 8;
      const state = Array.from(found.slots[index].subarray(group * width, (group + 1) * width));
      const expected = plainSlot(slot, members.get(name) ?? []);
      if (!state.every((value, lane) => near(value, expected[lane])))
        assert.equal(state, expected, `${slot.kind} of ${name}`);
    });
  });
  grouping.distincts.forEach((distinct, index) => {
    const valueOf = (at: PlainRow): unknown => {
      if (distinct.kind === "computed") return plainText(distinct, at);
      if (distinct.kind === "code") return plainCode(distinct.code, at) || null;
      const value = plainValue(distinct.of, at);
      if (Number.isNaN(value)) return null;
      if (distinct.kind === "number") return value + 0;
      return Math.round(value * 10 ** distinct.decimals) - distinct.base + 1;
    };
    const pairs = pairsOf(found.distincts[index], (value) =>
      distinct.kind === "computed" ? found.distinctTexts[index]?.[value - 1] : value + 0,
    );
    assert.equal(pairs.toSorted(), [...new Set(plainPairs(valueOf))].sort(), distinct.kind);
  });
  const numberOf = (of: BoundGrouping["sketches"][number]) => (at: PlainRow) => {
    const value = plainValue(of, at);
    return Number.isNaN(value) ? null : value;
  };
  grouping.quantiles.forEach(({ of }, index) => {
    const listed = pairsOf(found.lists[index], (value) => value);
    assert.equal(listed.toSorted(), plainPairs(numberOf(of)).sort());
  });
  grouping.sketches.forEach((of, index) => {
    const hashes = new Uint32Array(2);
    const entryOf = (at: PlainRow) => {
      const value = numberOf(of)(at);
      if (value === null) return null;
      hashDoubles(Float64Array.of(value), 1, hashes);
      return sketchEntry(hashes[0], hashes[1]);
    };
    const pairs = pairsOf(found.sketches[index], (value) => value);
    assert.equal(pairs.toSorted(), [...new Set(plainPairs(entryOf))].sort());
  });
  grouping.digests.forEach((of, index) => {
    const { groups, digested, values } = found.digests[index];
    for (const [name, all] of members) {
      const group = names.indexOf(name);
      const own = all.map(numberOf(of)).filter((value) => value !== null);
      const isDigested = digested.includes(group);
      assert.is(isDigested, own.length > 512);
      if (!isDigested)
        assert.equal(
          [...values].filter((_, row) => groups[row] === group),
          own,
        );
    }
  });
}
