import assert from "node:assert/strict";
import {
  chunkRows,
  clearPartitions,
  isOverfull,
  listChunks,
  partitionBytes,
  partitionPlaces,
  rowPartBits,
} from "../../../../engine/operators/groups/partitions.ts";
import { Heap } from "../../../../engine/operators/task/heap.ts";
import { suite } from "../../../support/suite.ts";

const shape = { partBits: 1, spanCount: 2, chunkCount: 5, widths: [4, 8] } as const;

suite("engine/operators/groups/partitions", (test) => {
  test("the places of a block do not overlap", () => {
    const { takenCount, begunCount, owners, sizes, columns } = partitionPlaces({
      ...shape,
      arena: 0,
      address: 640,
    });
    const starts = [takenCount, begunCount, owners, sizes, ...columns, 640 + partitionBytes(shape)];
    const sizeBytes = [4, 4, 20, 20, 5 * chunkRows * 4, 5 * chunkRows * 8];
    sizeBytes.forEach((size, index) => assert.ok(starts[index] + size <= starts[index + 1]));
  });

  test("chunks are listed part by part and span by span", () => {
    const heap = new Heap();
    const partitions = { ...shape, arena: 0, address: heap.reserve(partitionBytes(shape)) };
    const { arena } = heap;
    arena.u32.fill(7, partitions.address / 4, (partitions.address + partitionBytes(shape)) / 4);
    clearPartitions(partitions, arena);
    const { takenCount, owners } = partitionPlaces(partitions);
    assert.deepEqual([...listChunks(partitions, arena).chunks], []);
    arena.u32[takenCount / 4] = 5;
    arena.u32.set([3, 0, 1, 3, 0], owners / 4);
    const { starts, chunks } = listChunks(partitions, arena);
    assert.deepEqual([...chunks], [1, 4, 2, 0, 3]);
    assert.deepEqual([...starts], [0, 2, 3, 3, 5]);
    assert.equal(isOverfull(partitions, arena), false);
    arena.u32[takenCount / 4] = 6;
    assert.equal(isOverfull(partitions, arena), true);
  });

  test("the number of parts grows with the rows, up to 2^8", () => {
    assert.deepEqual([1, 2 ** 15, 2 ** 15 + 1, 2 ** 20, 2 ** 40].map(rowPartBits), [0, 0, 1, 5, 8]);
  });
});
