import type { Arena } from "../operators/arena.ts";
import type { Percentiles } from "../operators/finishDirect.ts";
import { concatenate } from "../operators/joinParts.ts";
import {
  addHistograms,
  readPercentiles,
  requestValues,
  selectPercentiles,
  wantValues,
  type CollectRequest,
} from "../operators/percentiles.ts";
import type { Scan } from "../operators/scan.ts";
import type { StateLayout } from "../operators/stateLayout.ts";
import type { BoundGrouping } from "../plan/boundPlan.ts";
import type { Memories, ScanAnswer, ScanTask } from "./messages.ts";

/** What the first scan left, and how a second one is made. */
export interface FirstScan {
  readonly grouping: BoundGrouping;
  readonly layout: StateLayout | undefined;
  readonly tasks: readonly ScanTask[];
  readonly answers: readonly ScanAnswer[];
  /** Where the states lie. */
  readonly arena: Arena;
  readonly homeArena: number;
  compile(requests: readonly CollectRequest[]): Scan;
  workspace(sizeBytes: number): readonly number[];
  memories(): Memories;
  scan(tasks: readonly ScanTask[]): Promise<unknown>;
}

/**
 * Makes exact percentiles of the histograms of the first scan: where a bucket holds one value the counts are the answer, else a
 * second scan brings the values of the buckets in which the wanted ranks lie.
 */
export async function gatherPercentiles(first: FirstScan): Promise<Percentiles> {
  const { grouping, layout, tasks, answers, arena, homeArena } = first;
  const { capacity, quantiles } = grouping;
  if (quantiles.length === 0 || !layout) return [];
  const histograms = quantiles.map(({ bucketCount }, index) =>
    tasks.map(({ bases }) => {
      const from = (bases[homeArena] + layout.histograms[index].offset) / 4;
      return arena.u32.subarray(from, from + capacity * bucketCount) as Uint32Array;
    }),
  );
  const sums = histograms.map(addHistograms);
  const wanted = quantiles.map((quantile, index) =>
    quantile.isExact ? undefined : wantValues(quantile, sums[index], capacity),
  );
  const seconds = wanted.every((values) => values === undefined)
    ? []
    : tasks.map((task, index) => {
        const requests = wanted.flatMap((values, quantile) => {
          const { bucketCount } = quantiles[quantile];
          return values
            ? [requestValues(quantile, values, histograms[quantile][index], bucketCount)]
            : [];
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
  return quantiles.map((quantile, index) => {
    const values = wanted[index];
    if (!values) return readPercentiles(quantile, sums[index], capacity);
    return selectPercentiles(quantile, sums[index], capacity, values, (bucket) =>
      concatenate(
        seconds.map(({ bases, requests, collected }) => {
          const place = requests.findIndex((request) => request.quantile === index);
          const { cursors, valueCount } = requests[place];
          const at = (bases[homeArena] + collected[place].values) / 8;
          const until = cursors[bucket + 1] ?? valueCount;
          return arena.f64.subarray(at + cursors[bucket], at + until) as Float64Array;
        }),
      ),
    );
  });
}
