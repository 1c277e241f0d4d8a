import * as assert from "uvu/assert";
import { compileMask } from "../../../../engine/operators/filter/masks.ts";
import { createRandom, withSeed } from "../../../support/random.ts";
import { rounds } from "../../../support/layer.ts";
import { suite } from "../../../support/suite.ts";
import { ColumnMaker } from "../columnMaker.ts";
import { plainTest } from "../plainTwin.ts";
import { makeTable, randomTest } from "../randomBound.ts";
import { compileOver, openMemory, randomRowCounts, readBytes } from "../vectorRun.ts";

suite("engine/operators/filter/masks", (test) => {
  test.deep(
    "a mask is 1 exactly where the test is true, for every form of segment and any selection",
    async () => {
      const random = createRandom();
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 7, deep: 35 }); round++) {
          const memory = openMemory(random);
          const rowCounts = randomRowCounts(random);
          const table = makeTable(new ColumnMaker(random, memory, rowCounts, random.chance(0.7)));
          const { columns } = table;
          const tests = Array.from({ length: 6 }, () => randomTest(random, table));
          const { operator, source, forEachVector } = compileOver(
            random,
            memory,
            columns,
            (compilation) => tests.map((each) => compileMask(each, compilation)),
          );
          forEachVector((group, rows) => {
            operator.forEach((mask, index) => {
              const found = readBytes(source, mask.read(), rows.length);
              const expected = rows.map((row) =>
                plainTest(tests[index], { columns, group, row }) ? 1 : 0,
              );
              assert.equal(found, expected, `${show(tests[index])} group ${group}`);
            });
          });
        }
      });
    },
  );

  test("a mask is computed once per vector, until the source opens the next vector", async () => {
    const random = createRandom();
    const memory = openMemory(random);
    const table = makeTable(new ColumnMaker(random, memory, [100]));
    const { operator, source, openRowGroup } = compileOver(
      random,
      memory,
      table.columns,
      (compilation) => compileMask({ kind: "and", of: [] }, compilation),
    );
    openRowGroup(0);
    source.openVector(0, 100);
    const address = operator.read();
    source.arena.u8[address] = 7;
    assert.is(operator.read(), address);
    assert.is(source.arena.u8[address], 7);
    source.openVector(0, 100);
    assert.is(source.arena.u8[operator.read()], 1);
  });
});

const show = (tree: unknown) =>
  JSON.stringify(tree, (_, value: unknown) =>
    value instanceof Set ? [...(value as Set<number>)] : ArrayBuffer.isView(value) ? "…" : value,
  );
