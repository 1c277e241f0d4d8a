import * as assert from "uvu/assert";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { compileDistinctCodes } from "../../../../engine/operators/folds/distinctCodes.ts";
import { compileNumbering, type NumberedKey } from "../../../../engine/operators/keys/numbering.ts";
import { compilePeriodFloor } from "../../../../engine/time/periodFloor.ts";
import { readZone } from "../../../../engine/time/zone.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { daysWithTimes } from "../daysWithTimes.ts";
import { floors } from "../plainTwin.ts";
import { isSmall, numberOf, randomKey, wholeKey } from "../randomKey.ts";
import { cardinality, makeTable } from "../randomBound.ts";
import { compileOver, openMemory, randomRowCounts, readWords } from "../vectorRun.ts";

suite("engine/operators/keys/numbering", (test) => {
  test("a row's number is the sum of its keys' numbers times their strides", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      let constants = 0;
      let stored = 0;
      for (let round = 0; round < rounds({ quick: 5, deep: 35 }); round++) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random), random.chance(0.7));
        const table = makeTable(maker);
        const { columns } = table;
        const keys: NumberedKey[] = [];
        for (let count = random.below(4); count > 0; count--) {
          const key = randomKey(random, table);
          if (isSmall([...keys, key])) keys.push(key);
        }
        // Only a column of stored codes can be folded in its stored form.
        if (round % 4 === 0)
          keys.splice(0, 9, { kind: "text", code: { kind: "byCode", column: 3 }, cardinality });
        const { operator, source, openRowGroup, openVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => compileNumbering(keys, compilation),
        );
        columns[0].groups.forEach(({ length }, group) => {
          openRowGroup(group);
          operator.openRowGroup();
          if (operator.isConstant && keys.length > 0) constants++;
          for (let start = 0; start < length; start += vectorSize) {
            const rows = openVector(group, start);
            if (rows.length === 0) continue;
            const expected = rows.map((row) => numberOf(keys, { columns, group, row }));
            const found = readWords(source, operator.read(), rows.length);
            assert.equal(
              found.map((number) => number + operator.constant),
              expected,
              keys.map(({ kind }) => kind).join(),
            );
            if (operator.isConstant) assert.ok(found.every((number) => number === 0));
            const direct = operator.stored();
            if (!direct) continue;
            stored++;
            const { address, width, stride } = direct;
            rows.forEach((_, place) => {
              let number = 0;
              for (let byte = 0; byte < width; byte++)
                number += source.arena.u8[address + place * width + byte] * 2 ** (8 * byte);
              assert.is(number * stride, found[place]);
            });
          }
        });
      }
      assert.ok(constants > 0 && stored > 0);
    });
  });

  test("month numbers in a time zone change at the zone's midnight, within a UTC day", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const { columns, key } = daysWithTimes(random, memory, "Europe/Brussels", "month");
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        columns,
        (compilation) => compileNumbering([key], compilation),
      );
      openRowGroup(0);
      operator.openRowGroup();
      source.openVector(0, vectorSize);
      assert.equal(
        readWords(source, operator.read(), vectorSize).map((number) => number + operator.constant),
        Array.from({ length: vectorSize }, (_, row) => numberOf([key], { columns, group: 0, row })),
      );
    });
  });

  test.deep("period numbers are correct across the transitions of a time zone", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (const zone of ["Europe/Brussels", "Australia/Lord_Howe", "UTC"])
        for (const period of ["hour", "day", "week", "month"] as const)
          for (const from of [Date.UTC(2021, 2, 26), Date.UTC(2021, 9, 29), Date.UTC(2021, 3, 2)]) {
            const memory = openMemory(random);
            const instants = Float64Array.from({ length: 5000 }, () =>
              random.chance(0.05) ? NaN : from + random.below(2000) * 150_000 + random.below(2),
            );
            const columns = [
              new ColumnMaker(random, memory, [5000, 5000], random.chance(0.5)).exactly(
                [instants, instants.toReversed()],
                "datetime",
              ),
            ];
            const known = instants.filter((value) => value === value);
            const floor = compilePeriodFloor(
              readZone(zone),
              period,
              Math.min(...known),
              Math.max(...known),
            );
            floors.set(floor, { period, zone });
            // Hours are not numbered if a clock changes by half an hour.
            if (floor.kind === "zone") continue;
            const of = { kind: "column", column: 0 } as const;
            const key: NumberedKey = { kind: "period", of, floor, cardinality: floor.count + 1 };
            const { operator, source, openRowGroup, openVector } = compileOver(
              random,
              memory,
              columns,
              (compilation) => compileNumbering([key], compilation),
            );
            for (const group of [0, 1]) {
              openRowGroup(group);
              operator.openRowGroup();
              for (const start of [0, vectorSize]) {
                const rows = openVector(group, start);
                if (rows.length === 0) continue;
                const found = readWords(source, operator.read(), rows.length);
                assert.equal(
                  found.map((number) => number + operator.constant),
                  rows.map((row) => numberOf([key], { columns, group, row })),
                  `${zone} ${period}`,
                );
              }
            }
          }
    });
  });
});

suite("engine/operators/folds/distinctCodes", (test) => {
  test("whole numbers are numbered from the lowest value, and strings by their codes", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 6, deep: 40 }); round++) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random), random.chance(0.7));
        const columns = [maker.numbers([0, 1, 2, 3, 7]), maker.codes(cardinality)];
        const whole = wholeKey(columns, 0);
        const { of, base, decimals } = whole;
        const { operator, source, forEachVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => [
            compileDistinctCodes(
              { kind: "whole", of, base, decimals, cardinality: whole.cardinality - 1 },
              compilation,
            ),
            compileDistinctCodes(
              { kind: "code", code: { kind: "byCode", column: 1 }, cardinality },
              compilation,
            ),
          ],
        );
        forEachVector((group, rows) => {
          assert.equal(
            readWords(source, operator[0].read(), rows.length),
            rows.map((row) => numberOf([whole], { columns, group, row })),
          );
          assert.equal(
            readWords(source, operator[1].read(), rows.length),
            rows.map((row) => columns[1].groups[group][row]),
          );
        });
      }
    });
  });
});
