import type { Arena } from "../operators/task/arena.ts";
import { joinGathered } from "../operators/percentiles/gatheredValues.ts";
import { countBytes } from "../operators/percentiles/collectValues.ts";
import type { Percentiles } from "../operators/output/finishDirect.ts";
import {
  addHistograms,
  canCountWanted,
  locatePercentiles,
  readPercentiles,
  requestCounts,
  requestValues,
  selectPercentiles,
  wantValues,
  type CollectRequest,
} from "../operators/percentiles/percentiles.ts";
import type { Scan } from "../operators/scan.ts";
import type { StateLayout } from "../plan/stateLayout.ts";
import type { BoundGrouping } from "../plan/boundPlan.ts";
import type { GatheredPairs } from "./gatherPairs.ts";
import type { Memories, ScanAnswer, ScanTask } from "./messages.ts";

/** The results of the first scan, and the functions that run a second scan. */
export interface FirstScan {
  readonly grouping: BoundGrouping;
  readonly layout: StateLayout | undefined;
  readonly tasks: readonly ScanTask[];
  readonly answers: readonly ScanAnswer[];
  readonly pairs: GatheredPairs;
  /** The arena that contains the states. */
  readonly arena: Arena;
  readonly homeArena: number;
  compile(requests: readonly CollectRequest[]): Scan;
  workspace(sizeBytes: number): readonly number[];
  memories(): Memories;
  scan(tasks: readonly ScanTask[]): Promise<unknown>;
}

/**
 * Computes exact percentiles from the histograms of the first scan. If a bucket stands for a single value, the counts
 * determine the percentiles. Otherwise, a second scan gathers or counts the values in the buckets that contain the
 * wanted ranks.
 */
export async function gatherPercentiles(first: FirstScan): Promise<Percentiles> {
  const { grouping, layout, tasks, answers, arena, homeArena, pairs } = first;
  const { capacity, quantiles, paired } = grouping;
  if (quantiles.length === 0 || !layout) return [];
  const histograms = quantiles.map(({ bucketCount }, index) => {
    if (paired?.quantiles.includes(index)) return [new Uint32Array(0)];
    return tasks.map(({ bases }) => {
      const from = (bases[homeArena] + layout.histograms[index].offset) / 4;
      return arena.u32.subarray(from, from + capacity * bucketCount);
    });
  });
  const sums = histograms.map(addHistograms);
  const wanted = quantiles.map((quantile, index) => {
    if (quantile.shift === 0 || paired?.quantiles.includes(index)) return undefined;
    const values = wantValues(quantile, sums[index], capacity);
    return { values, isCounted: canCountWanted(quantile, values, sums[index]) };
  });
  const seconds = wanted.every((values) => values === undefined)
    ? []
    : tasks.map((task, index) => {
        const requests = wanted.flatMap((each, quantile) => {
          const { bucketCount, shift } = quantiles[quantile];
          if (!each) return [];
          if (each.isCounted) return [requestCounts(quantile, each.values, shift)];
          return [requestValues(quantile, each.values, histograms[quantile][index], bucketCount)];
        });
        const { sizeBytes, collected } = first.compile(requests);
        return { task, requests, collected, bases: first.workspace(sizeBytes), index };
      });
  if (seconds.length > 0)
    await first.scan(
      seconds.map(({ task, requests, bases, index }) => ({
        ...task,
        memories: first.memories(),
        bases,
        second: { requests, lanes: answers[index].lanes },
      })),
    );
  arena.reach();
  const { kernels, u32, f64 } = arena;
  return quantiles.map((quantile, index) => {
    if (paired?.quantiles.includes(index)) return pairs.quantiles[index];
    const each = wanted[index];
    if (!each) return readPercentiles(quantile, sums[index], capacity);
    const brought = seconds.flatMap(({ bases, requests, collected }) => {
      const place = requests.findIndex((request) => request.quantile === index);
      return { request: requests[place], at: bases[homeArena] + collected[place].output };
    });
    if (each.isCounted) {
      const [{ request, at }, ...others] = brought;
      if (request.kind !== "counts") throw new RangeError("counts were requested");
      for (const other of others) kernels.addCounts(at, other.at, countBytes(request));
      const counts = u32.subarray(at / 4, at / 4 + request.counterCount);
      return locatePercentiles(quantile, sums[index], capacity, each.values, counts);
    }
    const values = brought.map(({ request, at }) => {
      if (request.kind !== "values") throw new RangeError("values were requested");
      const { cursors, valueCount } = request;
      return { cursors, values: f64.subarray(at / 8, at / 8 + valueCount) };
    });
    const joined = joinGathered(values, each.values.buckets.length);
    return selectPercentiles(quantile, sums[index], capacity, each.values, joined);
  });
}
