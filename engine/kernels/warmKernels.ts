import type { Kernels } from "./kernels.ts";

/** Bytes of the scratch block that `warmKernels` needs. */
export const warmSizeBytes = 65_536;

const rowCount = 1024;
/**
 * V8 optimizes a function after so many bytes of its code have run, so a kernel needs more calls the more rows it takes in
 * one turn of its loop. Measured with Node 26, with some room.
 */
const calls = {
  byFold: 170,
  byBucket: 270,
  byRow: 350,
  byFew: 560,
  byBlock: 1250,
  byByte: 2300,
} as const;
const widths = [1, 2, 3, 4] as const;
const floatWidths = [4, 8] as const;

/**
 * Calls every kernel often enough on small data that V8 compiles them with its optimizing compiler, in the background,
 * before the first query asks for them. Costs about 0.1 s of one thread of a process; the compiled code is
 * shared, so the others find it ready.
 * `scratch` is the address of a block of `warmSizeBytes` that nothing else uses; its content is lost.
 */
export function warmKernels(kernels: Kernels, scratch: number): void {
  // An empty range clears its mask.
  kernels.range[1](scratch, warmSizeBytes, 1, 0, scratch);
  const zeros = scratch;
  const out = scratch + 16 * rowCount;
  const slots = scratch + 32 * rowCount;
  const count = slots + 1024;
  const keys = slots + 2048;
  const warm = (call: () => void, callCount: number = calls.byRow) => {
    for (let index = 0; index < callCount; index++) call();
  };

  for (const width of widths) {
    warm(
      () => kernels.range[width](zeros, rowCount, 1, 2, out),
      width < 3 ? calls.byByte : calls.byBlock,
    );
    warm(() => kernels.lookup[width](zeros, rowCount, zeros, out));
    warm(() => kernels.decode[width](zeros, rowCount, 1, 0, out));
    warm(() => kernels.decodeSelected[width](zeros, zeros, rowCount, 1, 0, out));
    warm(() => kernels.widen[width](zeros, rowCount, out), calls.byBlock);
    warm(() => kernels.widenSelected[width](zeros, zeros, rowCount, out));
    warm(() => kernels.number[width](zeros, rowCount, 0, 1, out, 1), calls.byFew);
    warm(() => kernels.numberSelected[width](zeros, zeros, rowCount, 0, 1, out, 1));
    warm(() => kernels.numberStarts[width](zeros, rowCount, zeros, 16, 0, 1, out, 1), calls.byRow);
    warm(
      () => kernels.numberStartsSelected[width](zeros, zeros, rowCount, zeros, 16, 0, 1, out, 1),
      calls.byRow,
    );
    warm(() => kernels.numberLookup[width](zeros, rowCount, zeros, 1, out, 1));
    warm(() => kernels.numberLookupSelected[width](zeros, zeros, rowCount, zeros, 1, out, 1));
    warm(
      () => kernels.total[width](zeros, rowCount, out),
      width < 3 ? calls.byByte : calls.byBlock,
    );
    warm(() => kernels.totalMasked[width](zeros, zeros, rowCount, out), calls.byByte);
    warm(
      () => kernels.leaveNulls[width](zeros, zeros, rowCount, out),
      width < 3 ? calls.byByte : calls.byBlock,
    );
    warm(() =>
      kernels.foldFew[width](zeros, zeros, rowCount, 0, 16, -1, 1, out, out + 12 * rowCount),
    );
    for (const valueWidth of [...widths, 8] as const) {
      const fold = kernels.foldStored[width][valueWidth];
      warm(() => fold(zeros, zeros, rowCount, 1, 0, out, 16, 64), calls.byFold);
    }
    const countWanted = kernels.countWanted[width];
    warm(
      () => countWanted(zeros, 0, zeros, rowCount, 0, 0, zeros, 0, zeros, 1, out),
      calls.byBucket,
    );
    for (const numberWidth of [1, 2, 4] as const) {
      const mark = kernels.markStored[numberWidth][width];
      const fold = kernels.countStored[numberWidth][width];
      const find = kernels.findStored[numberWidth][width];
      warm(() => mark(zeros, zeros, rowCount, 0, out, 4, out + 8 * rowCount), calls.byFew);
      const narrow = kernels.countNarrow[numberWidth][width];
      warm(() => fold(zeros, zeros, rowCount, 0, 0, out, 4), calls.byBucket);
      warm(() => narrow(zeros, zeros, rowCount, 0, 0, out, 4, out + 8 * rowCount));
      warm(() => find(zeros, zeros, rowCount, 0, 0, zeros, 4, out), calls.byBucket);
    }
  }
  for (const width of floatWidths) {
    warm(() => kernels.rangeFloat[width](zeros, rowCount, 1, 2, out), calls.byBlock);
    warm(() => kernels.nullFloat[width](zeros, rowCount, out), width === 4 ? 1600 : calls.byFew);
    warm(() => kernels.decodeFloatSelected[width](zeros, zeros, rowCount, out));
    warm(() => kernels.totalFloat[width](zeros, rowCount, out));
    warm(() => kernels.leaveNullFloats[width](zeros, zeros, rowCount, out), calls.byBlock);
    const fold = kernels.foldFewFloat[width];
    warm(
      () => fold(zeros, zeros, zeros, rowCount, zeros, out, 64, out + 8 * rowCount),
      calls.byFold,
    );
  }
  // The one of width 8 is a copy, which needs no loop.
  warm(() => kernels.decodeFloat[4](zeros, rowCount, out), calls.byFew);
  for (const bound of [16, 128, 256])
    warm(() => kernels.member(zeros, rowCount, zeros, bound, out), calls.byBlock);
  warm(() => kernels.andMask(zeros, zeros, 2 * rowCount, out), calls.byByte);
  warm(() => kernels.orMask(zeros, zeros, rowCount, out), calls.byByte);
  warm(() => kernels.notMask(zeros, rowCount, out), calls.byByte);
  warm(() => kernels.select(zeros, rowCount, zeros, out), calls.byBlock);
  warm(() => kernels.narrow(zeros, rowCount, zeros, out), calls.byBlock);
  warm(() => kernels.countMask(zeros, 4 * rowCount), calls.byByte);
  warm(() => kernels.addVector(out, zeros, rowCount), calls.byFew);
  warm(() => kernels.scaleRound(zeros, rowCount, 1, out), calls.byFew);
  warm(() => kernels.divideVector(zeros, rowCount, 1, out), calls.byFew);
  warm(() => kernels.binStarts(zeros, rowCount, 1, 0, 0, 1, 1, out));
  warm(() => kernels.countSteps(zeros, rowCount, 0, 1, out), calls.byFew);
  warm(() => kernels.addSteps(zeros, rowCount, 0, zeros, 2, out));
  warm(() => kernels.lookupSteps(zeros, rowCount, 0, 1, zeros, out));
  warm(() => kernels.placesInCycle(zeros, rowCount, 0, 1, 7, 1, out), calls.byFew);
  warm(() => kernels.numberThresholds(zeros, rowCount, zeros, 20, 0, 1, out, 1), calls.byFold);
  warm(() => kernels.numberWhole(zeros, rowCount, 0, 1, out, 1));
  warm(() => kernels.numberDayTime(zeros, zeros, rowCount, zeros, 1, out, 1), calls.byFold);
  warm(() => kernels.foldRows(zeros, rowCount, out, 16, 64));
  warm(() => kernels.foldRowsSum(zeros, zeros, rowCount, out, 16, 64), calls.byFold);
  warm(() => kernels.foldCountSum(zeros, zeros, rowCount, out, 16, 64), calls.byFold);
  warm(() => kernels.foldPair(zeros, zeros, zeros, rowCount, out, 16, 64), calls.byFold);
  warm(() => kernels.numberFew(zeros, rowCount, 0, 1, out, 1), calls.byByte);
  warm(() => kernels.narrowFew(zeros, rowCount, out), calls.byByte);
  warm(() => kernels.leaveOut(zeros, rowCount, out), calls.byByte);
  warm(() => kernels.countFew(zeros, rowCount, 0, 16, -1, out));
  warm(
    () => kernels.foldFewPair(zeros, zeros, zeros, zeros, rowCount, zeros, out, 64),
    calls.byFold,
  );
  warm(() => kernels.foldExtent(zeros, zeros, rowCount, out, 16, 64));
  warm(() => kernels.foldVariance(zeros, zeros, rowCount, out, 32), calls.byFold);
  warm(() => kernels.bucket(zeros, rowCount, 0, 1, 4, out));
  warm(() => kernels.foldHistogram(zeros, zeros, rowCount, out, 4), calls.byFold);
  warm(() => kernels.collect(zeros, zeros, zeros, rowCount, zeros, 4, out, out), calls.byFold);
  warm(() => kernels.countFound(zeros, rowCount, 0, out));
  warm(() => {
    kernels.range[1](count, 16, 1, 0, count);
    kernels.placeFound(zeros, rowCount, 0, count, out);
  });
  warm(() => kernels.extent(zeros, rowCount, out), calls.byFew);
  warm(() => kernels.pairKeys(zeros, zeros, rowCount, out));
  warm(() => kernels.doubleKeys(zeros, rowCount, out), calls.byFew);
  warm(() => kernels.findGroups(zeros, rowCount, slots, 15, keys, count, 2, out), calls.byFold);
  warm(() => {
    kernels.range[1](slots, 512, 1, 0, slots);
    kernels.rehash(zeros, 64, slots, 127);
  });
  warm(() => kernels.addStates(out, zeros, 8 * rowCount));
  warm(() => kernels.leastStates(out, zeros, 8 * rowCount));
  warm(() => kernels.orBits(out, zeros, 8 * rowCount));
  warm(() => kernels.addCounts(out, zeros, 8 * rowCount));
  warm(() => kernels.countBits(zeros, 8 * rowCount));
}
