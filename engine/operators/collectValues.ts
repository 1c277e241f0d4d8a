import { vectorSize } from "../kernels/kernels.ts";
import type { BoundGrouping } from "../plan/boundPlan.ts";
import { compileNumbering, type NumberedKey } from "./numbering.ts";
import type { CollectRequest } from "./percentiles.ts";
import { compileVector, type Compilation } from "./vectors.ts";
import type { Workspace } from "./workspace.ts";

/** Where a task puts the values that it was asked for. */
export interface CollectLayout {
  readonly cursors: number;
  readonly values: number;
}

/** Reserves the states of a second scan. */
export function layoutCollect(
  requests: readonly CollectRequest[],
  workspace: Workspace,
): readonly CollectLayout[] {
  const layout = requests.map(({ cursors, valueCount }) => ({
    cursors: workspace.reserve(cursors.byteLength),
    values: workspace.reserve(valueCount * 8),
  }));
  workspace.endStates();
  return layout;
}

export interface ValueCollector {
  begin(): void;
  openGroup(): void;
  fold(): void;
}

/** Compiles the second scan of percentiles: it brings the values of the wanted buckets. */
export function compileValueCollector(
  grouping: BoundGrouping,
  requests: readonly CollectRequest[],
  layout: readonly CollectLayout[],
  compilation: Compilation,
): ValueCollector {
  const { source, workspace } = compilation;
  const numbering = compileNumbering(grouping.keys as readonly NumberedKey[], compilation);
  const buckets = workspace.reserve(vectorSize * 4);
  const parts = requests.map((request, index) => {
    const quantile = grouping.quantiles[request.quantile];
    return {
      quantile,
      request,
      place: layout[index],
      table: workspace.table(request.table),
      vector: compileVector(quantile.of, quantile.decimals, compilation),
    };
  });
  return {
    begin: () => {
      for (const { request, place } of parts)
        source.arena.u32.set(request.cursors, (source.base + place.cursors) / 4);
    },
    openGroup: () => numbering.openGroup(),
    fold: () => {
      const { kernels, base, rowCount } = source;
      const numbers = numbering.read();
      for (const { quantile, place, table, vector } of parts) {
        const { low, factor, bucketCount } = quantile;
        const values = vector.read();
        kernels.bucket(values, rowCount, low, factor, bucketCount, base + buckets);
        kernels.collect(
          numbers,
          base + buckets,
          values,
          rowCount,
          base + table + numbering.constant * bucketCount * 4,
          bucketCount,
          base + place.cursors,
          base + place.values,
        );
      }
    },
  };
}
