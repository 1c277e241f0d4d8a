import { setTimeout } from "node:timers/promises";
import * as assert from "uvu/assert";
import { loadSegments, placeSegment } from "../../../engine/column/loadSegments.ts";
import type { SavedColumn, SavedSegment } from "../../../engine/column/savedColumn.ts";
import {
  createNullSegment,
  type Segment,
  type StoredValues,
  type StoredWidth,
} from "../../../engine/column/segment/segment.ts";
import { storedBytes } from "../../../engine/column/segment/storedBytes.ts";
import { emptySummary } from "../../../engine/column/segment/summary.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { createRandom, withSeed, type Random } from "../../support/random.ts";
import { rounds } from "../../support/layer.ts";
import { suite } from "../../support/suite.ts";
import { rejects } from "../tables.ts";

const rowCount = 65_536;

/**
 * Returns segments of all widths, and a file of random bytes that contains their values. Some segments have times, and
 * some contain only nulls.
 */
function makeColumn(random: Random, segmentCount: number) {
  const segments: Segment[] = [];
  let offset = 0;
  while (segments.length < segmentCount) {
    const segment = createNullSegment(rowCount);
    if (random.chance(0.2)) {
      segments.push(segment);
      continue;
    }
    const width = random.pick([1, 2, 3, 4, 8] as const);
    if (width === 8)
      segments.push({ ...segment, form: "float", values: { arena: 0, offset, width } });
    else {
      const values = { arena: 0, offset, width };
      const times: StoredValues<StoredWidth> = {
        arena: 0,
        offset: offset + rowCount * width,
        width: random.pick([1, 2, 3, 4] as const),
      };
      segments.push(
        random.chance(0.2)
          ? { ...segment, form: "dayTime", values, times, bias: 0, timeScale: 1 }
          : { ...segment, form: "whole", values, bias: 0, scale: 1 },
      );
    }
    offset += storedBytes(segments.at(-1)!);
  }
  const file = new Uint8Array(offset);
  for (let index = 0; index < offset; index += 61) file[index] = random.below(256);
  return { segments, file };
}

/** Returns a saved column whose reads take random times. Counts the reads. The read with the number `failing` fails. */
function watchedColumn(
  random: Random,
  { segments, file }: ReturnType<typeof makeColumn>,
  failing = -1,
) {
  const watched = { readCount: 0, mostAtOnce: 0, underWay: 0, column: {} as SavedColumn };
  watched.column = {
    rowGroupCount: segments.length,
    summary: emptySummary,
    textCount: 0,
    textBytes: 0,
    readSegments: () =>
      Promise.resolve(segments.map((segment): SavedSegment => ({ segment, crc32: 0 }))),
    async readValues(extent, into) {
      const read = watched.readCount++;
      watched.mostAtOnce = Math.max(watched.mostAtOnce, ++watched.underWay);
      if (read === failing) {
        watched.underWay--;
        throw new Error(`read ${read} fails`);
      }
      await setTimeout(random.below(4));
      const from = extent.find(({ segment }) => segment.values)?.segment.values?.offset ?? 0;
      into.set(file.subarray(from, from + into.length));
      watched.underWay--;
    },
    readTexts: () => Promise.resolve(),
  };
  return watched;
}

suite("engine/column/loadSegments", (test) => {
  test.deep(
    "segments are loaded unchanged, with at most three reads at a time that may finish in any order",
    async () => {
      const random = createRandom();
      let mostAtOnce = 0;
      await withSeed(random, async () => {
        for (let round = 0; round < rounds({ quick: 5, deep: 12 }); round++) {
          const made = makeColumn(random, random.below(120));
          const memory = new Memory({ budgetBytes: 2 ** 28, arenaBytes: 2 ** 24 });
          const watched = watchedColumn(random, made);
          const requested: number[] = [];
          const { segments, blocks } = await loadSegments(memory, watched.column, (rowGroup) => {
            requested.push(rowGroup);
            return undefined;
          });
          mostAtOnce = Math.max(mostAtOnce, watched.mostAtOnce);
          assert.ok(watched.mostAtOnce <= 3);
          assert.is(segments.length, made.segments.length);
          assert.equal(
            requested,
            [...requested].sort((left, right) => left - right),
          );
          assert.is(
            memory.usedBytes,
            blocks.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
          );
          for (const [index, saved] of made.segments.entries()) {
            const { values } = segments[index];
            assert.equal(
              segments[index],
              values ? placeSegment(saved, values.arena, values.offset) : saved,
            );
            if (!values || !saved.values) continue;
            const sizeBytes = storedBytes(saved);
            const from = saved.values.offset;
            assert.ok(
              Buffer.from(memory.bytes({ ...values, sizeBytes })).equals(
                made.file.subarray(from, from + sizeBytes),
              ),
              `segment ${index}`,
            );
          }
          for (const block of blocks) memory.free(block);
          assert.is(memory.usedBytes, 0);
        }
      });
      assert.ok(mostAtOnce > 1, "reads overlap");
    },
  );

  test("a failed read stops loading and frees all memory once the other reads have ended", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 1, deep: 6 }); round++) {
        const made = makeColumn(random, 200);
        const memory = new Memory({ budgetBytes: 2 ** 28 });
        const failing = random.below(4);
        const watched = watchedColumn(random, made, failing);
        // The failed load does not keep any memory, even if a query runs in the meantime.
        const lease = memory.lease();
        const failure = await loadSegments(memory, watched.column, () => undefined).then(
          () => "loaded",
          (error: Error) => error.message,
        );
        assert.is(failure, `read ${failing} fails`);
        assert.is(watched.underWay, 0);
        assert.is(memory.usedBytes, 0);
        const { readCount } = watched;
        assert.ok(readCount <= failing + 3, `${readCount} reads`);
        await setTimeout(10);
        assert.is(watched.readCount, readCount);
        lease.end();
      }
    });
  });

  test("loading segments beyond the memory budget fails and frees everything that was read", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const made = makeColumn(random, 100);
      const memory = new Memory({ budgetBytes: made.file.length / 2 });
      const watched = watchedColumn(random, made);
      await rejects(
        loadSegments(memory, watched.column, () => undefined),
        "STORE_OUT_OF_MEMORY",
      );
      assert.is(watched.underWay, 0);
      assert.ok(watched.readCount > 0);
      assert.is(memory.usedBytes, 0);
    });
  });
});
