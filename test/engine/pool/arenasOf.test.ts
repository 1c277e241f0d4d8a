import * as assert from "uvu/assert";
import { readSegment, segmentRecordDoubles } from "../../../engine/column/segment/segment.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { arenasOf } from "../../../engine/pool/arenasOf.ts";
import { MainArenas } from "../../../engine/pool/mainArenas.ts";
import { createRandom, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { bind, count, makeTable } from "./numbersTable.ts";

suite("engine/pool/arenasOf", (test) => {
  test("a plan needs exactly the arenas of its segments", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const memory = new Memory({ budgetBytes: 2 ** 26, arenaBytes: 2 ** 20 });
      const of = { kind: "column", name: "x" } as const;
      const counts = new Set<number>();
      for (let turn = 0; turn < 8; turn++) {
        const table = makeTable(memory, 1 + random.below(500_000));
        const plan = bind(
          { ...count, outputs: [{ kind: "aggregate", function: "sum", of }] },
          table,
          memory,
        );
        const views = new MainArenas(memory).view();
        const expected = new Set<number>();
        for (const { directory, sealedCount, tail } of plan.columns) {
          if (tail?.values) expected.add(tail.values.arena);
          for (let group = 0; directory && group < sealedCount; group++) {
            const at = directory.offset / 8 + group * segmentRecordDoubles;
            const { values } = readSegment(views[directory.arena].f64, at);
            if (values) expected.add(values.arena);
          }
        }
        assert.equal(
          arenasOf(plan, views),
          [...expected].sort((left, right) => left - right),
        );
        counts.add(expected.size);
      }
      assert.ok(Math.max(...counts) > 1);
    });
  });

  test("a plan that reads no columns runs in the first arena", () => {
    const memory = new Memory({ budgetBytes: 2 ** 24 });
    const plan = bind(count, makeTable(memory, 10), memory);
    const [view] = new MainArenas(memory).view();
    assert.equal(arenasOf({ ...plan, columns: [] }, [view]), [0]);
    assert.equal(arenasOf({ ...plan, columns: [] }, [view, view]), [0]);
  });
});
