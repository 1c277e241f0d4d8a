import * as assert from "uvu/assert";
import { vectorSize } from "../../../../engine/kernels/kernels.ts";
import { Memory } from "../../../../engine/memory/memory.ts";
import { Arena } from "../../../../engine/operators/task/arena.ts";
import { VectorSource } from "../../../../engine/operators/rows/vectorSource.ts";
import { Workspace } from "../../../../engine/operators/task/workspace.ts";
import { compileCodes, compileVector } from "../../../../engine/operators/rows/vectors.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { plainCode, plainValue } from "../plainTwin.ts";
import { makeTable, randomCode, randomValue } from "../randomBound.ts";
import { compileOver, openMemory, randomRowCounts, readDoubles, readWords } from "../vectorRun.ts";

/** Kinds of numbers with at most two decimals. */
const twoDecimals = [0, 1, 2, 3, 4, 5, 6, 7, 9];

suite("engine/operators/rows/vectors", (test) => {
  test("a vector contains its expression's value for each row, with NaN for null", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 12 }); round++) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random);
        const table = makeTable(new ColumnMaker(random, memory, rowCounts, random.chance(0.7)));
        const { columns } = table;
        const values = Array.from({ length: 8 }, () => randomValue(random, table));
        const { operator, source, forEachVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => values.map((value) => compileVector(value, -1, compilation)),
        );
        forEachVector((group, rows) => {
          operator.forEach((vector, index) => {
            const found = readDoubles(source, vector.read(), rows.length);
            const expected = rows.map((row) => plainValue(values[index], { columns, group, row }));
            found.forEach((value, place) => {
              // Both whole segments and plain arithmetic can return -0, which is treated as 0.
              if (!Object.is(value + 0, expected[place] + 0))
                assert.is(value, expected[place], `${JSON.stringify(values[index])} row ${place}`);
            });
          });
        });
      }
    });
  });

  test("a vector with decimals contains value * 10^decimals as whole numbers", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 15 }); round++) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random), random.chance(0.7));
        const columns = [maker.numbers(twoDecimals)];
        const doubled = {
          kind: "call",
          function: "add",
          of: [
            { kind: "column", column: 0 },
            { kind: "column", column: 0 },
          ],
        } as const;
        const { operator, source, forEachVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => [
            compileVector({ kind: "column", column: 0 }, 2, compilation),
            compileVector({ kind: "column", column: 0 }, 3, compilation),
            compileVector(doubled, 2, compilation),
          ],
        );
        forEachVector((group, rows) => {
          const plain = rows.map((row) => columns[0].groups[group][row]);
          [100, 1000, 200].forEach((factor, index) => {
            const found = readDoubles(source, operator[index].read(), rows.length);
            const expected = plain.map((value) => Math.round(value * factor) + 0);
            assert.equal(
              found.map((value) => value + 0),
              expected,
            );
          });
        });
      }
    });
  });

  test("a vector of codes contains its expression's code for each row, with 0 for null", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 12 }); round++) {
        const memory = openMemory(random);
        const rowCounts = randomRowCounts(random);
        const table = makeTable(new ColumnMaker(random, memory, rowCounts, random.chance(0.7)));
        const { columns } = table;
        const codes = Array.from({ length: 6 }, () => randomCode(random, table));
        const { operator, source, forEachVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => codes.map((code) => compileCodes(code, compilation)),
        );
        forEachVector((group, rows) => {
          operator.forEach((vector, index) => {
            const found = readWords(source, vector.read(), rows.length);
            const expected = rows.map((row) => plainCode(codes[index], { columns, group, row }));
            assert.equal(found, expected, JSON.stringify(codes[index]));
          });
        });
      }
    });
  });

  test("narrowing a selection keeps the rows whose mask byte is 1", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 2, deep: 20 }); round++) {
        const memory = openMemory(random);
        const maker = new ColumnMaker(random, memory, randomRowCounts(random));
        const columns = [maker.numbers()];
        const { operator, source, forEachVector } = compileOver(
          random,
          memory,
          columns,
          (compilation) => ({
            vector: compileVector({ kind: "column", column: 0 }, -1, compilation),
            mask: compilation.workspace.reserve(vectorSize),
          }),
        );
        forEachVector((group, rows) => {
          if (random.chance(0.5)) operator.vector.read();
          const share = random.pick([0, 0.3, 1]);
          const mask = Uint8Array.from(rows, () => (random.chance(share) ? 1 : 0));
          const places = [...rows.keys()].filter((place) => mask[place] === 1);
          source.arena.u8.set(mask, source.base + operator.mask);
          source.narrow(source.base + operator.mask);
          assert.is(source.rowCount, places.length);
          assert.equal(
            readDoubles(source, operator.vector.read(), places.length),
            places.map((place) => columns[0].groups[group][rows[place]]),
          );
        });
      }
    });
  });

  test("a workspace has the same size even if its thread knows more arenas than its task uses", () => {
    const memory = new Memory({ budgetBytes: 2 ** 24 });
    memory.freeScratch(memory.allocateScratch(64, 2));
    const arenas = memory.arenas.map((each) => new Arena(each));
    const measure = (known: readonly Arena[], bases: readonly number[]) => {
      const workspace = new Workspace();
      const column = { directory: undefined, sealedCount: 0, tail: undefined };
      const source = new VectorSource(known, bases, [column, column], workspace);
      assert.is(source.rowCount, 0);
      return workspace.sizeBytes;
    };
    const single = measure(arenas.slice(0, 1), [0]);
    assert.is(measure(arenas, [0]), single);
    assert.is(measure(arenas, [-1, 0, -1]), single);
    assert.is(measure(arenas, [-1, 0, 0]), single + 4 * vectorSize * 8 + 64);
  });

  test("if a column lacks a row group, the error names both", () => {
    const random = createRandom();
    const memory = openMemory(random);
    const columns = [new ColumnMaker(random, memory, [10], false).numbers()];
    const { source } = compileOver(random, memory, columns, () => undefined);
    assert.throws(() => source.openRowGroup(1), /column 0 has no row group 1/);
  });
});
