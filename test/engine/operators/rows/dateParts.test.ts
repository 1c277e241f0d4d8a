import * as assert from "uvu/assert";
import { dateParts } from "../../../../engine/expressions/datetimeFunctions.ts";
import { vectorFunction } from "../../../../engine/expressions/scalarFunctions.ts";
import { compileDatePart } from "../../../../engine/operators/rows/dateParts.ts";
import { compileVector } from "../../../../engine/operators/rows/vectors.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { compileOver, openMemory, randomRowCounts, readDoubles } from "../vectorRun.ts";

const dayMs = 86_400_000;
const zones = [
  "UTC",
  "Europe/Berlin",
  "America/St_Johns",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "Africa/Monrovia",
] as const;

/** Spans of a row group's instants: short, several years, all of time, and on both sides of the limit for tables. */
const spans = [
  { from: Date.UTC(2021, 9, 30), spanMs: 3 * dayMs },
  { from: Date.UTC(2019, 0, 1), spanMs: 5 * 366 * dayMs },
  { from: Date.UTC(1880, 0, 1), spanMs: 150 * 366 * dayMs },
  { from: -8.64e15, spanMs: 400 * dayMs },
  { from: 8.64e15 - 400 * dayMs, spanMs: 400 * dayMs },
  { from: Date.UTC(2499, 11, 31) - dayMs, spanMs: 4 * dayMs },
  { from: -8.64e15, spanMs: 2 * 8.64e15 },
];

suite("engine/operators/rows/dateParts", (test) => {
  test.deep(
    "date parts of a vector equal those of its rows for any range of time, with NaN for null",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 5, deep: 24 }); round++) {
          const memory = openMemory(random);
          const rowCounts = randomRowCounts(random);
          const groups = rowCounts.map((rowCount) => {
            const { from, spanMs } = random.pick(spans);
            const share = random.pick([0, 0.1, 1]);
            return Float64Array.from({ length: rowCount }, () =>
              random.chance(share)
                ? NaN
                : from + Math.floor((random.below(2 ** 30) / 2 ** 30) * spanMs),
            );
          });
          const maker = new ColumnMaker(random, memory, rowCounts);
          const columns = [maker.exactly(groups, "datetime"), maker.instants()];
          const cases = Array.from({ length: 8 }, () => ({
            column: random.below(2),
            literals: [random.pick(dateParts), random.pick(zones)],
          }));
          const { operator, source, forEachVector } = compileOver(
            random,
            memory,
            columns,
            (compilation) =>
              cases.map(({ column, literals }) => {
                const of = [{ kind: "column", column }] as const;
                return compileVector(
                  { kind: "call", function: "datePart", of, literals },
                  -1,
                  compilation,
                );
              }),
          );
          forEachVector((group, rows) => {
            cases.forEach(({ column, literals }, index) => {
              const values = Float64Array.from(rows, (row) => columns[column].groups[group][row]);
              const expected = new Float64Array(rows.length);
              vectorFunction("datePart", literals)([values], rows.length, expected);
              const found = readDoubles(source, operator[index].read(), rows.length);
              assert.equal(found, [...expected], literals.join(" "));
            });
          });
        }
      });
    },
  );

  test("date parts are read from tables if the vector spans a few decades before the year 2500", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = openMemory(random);
      const years: readonly (readonly [number, number])[] = [
        [1999, 2010],
        [1990, 2030],
        [1000, 2020],
        [2499, 2500],
      ];
      const groups = years.map(([first, last]) =>
        Float64Array.from([Date.UTC(first, 5, 1), Date.UTC(last, 5, 1)]),
      );
      const maker = new ColumnMaker(
        random,
        memory,
        groups.map(() => 2),
      );
      const columns = [maker.exactly(groups, "datetime")];
      const parts = [
        ["hour", "UTC"],
        ["hour", "Europe/Berlin"],
        ["month", "UTC"],
        ["month", "Asia/Kathmandu"],
      ];
      const { operator, source, openRowGroup } = compileOver(
        random,
        memory,
        columns,
        (compilation) => ({
          vector: compileVector({ kind: "column", column: 0 }, -1, compilation),
          to: compilation.workspace.reserve(16),
          parts: parts.map((literals) =>
            compileDatePart(literals, compilation.source, compilation.workspace),
          ),
        }),
      );
      const told = groups.map((_, group) => {
        openRowGroup(group);
        source.openVector(0, 2);
        const from = operator.vector.read();
        return operator.parts.map((write) => write(from, source.base + operator.to));
      });
      assert.equal(told, [
        [true, true, true, true],
        [true, false, true, true],
        [true, false, false, false],
        [true, false, true, false],
      ]);
    });
  });
});
