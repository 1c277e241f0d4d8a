import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping, BoundQuantile } from "../../plan/boundPlan.ts";
import { always, canFoldRowGroup, choosePath, type RowsPath } from "../folds/accessPath.ts";
import { compileNumbering, type NumberedKey, type Numbering } from "../keys/numbering.ts";
import type { CollectRequest } from "./percentiles.ts";
import { compileStoredWhole, storedGroups } from "../folds/storedWhole.ts";
import type { Compilation } from "../rows/compilation.ts";
import { compileVector } from "../rows/vectors.ts";
import { compileWantedCounts } from "./wantedCounts.ts";
import type { Workspace } from "../task/workspace.ts";

/** The location at which a task writes the results of a second scan: values, which cursors place, or counts. */
export interface CollectLayout {
  readonly cursors: number;
  readonly output: number;
}

/** Reserves the states of a second scan. */
export function layoutCollect(
  requests: readonly CollectRequest[],
  workspace: Workspace,
): readonly CollectLayout[] {
  const layout = requests.map((request) =>
    request.kind === "counts"
      ? { cursors: 0, output: workspace.reserve(countBytes(request)) }
      : {
          cursors: workspace.reserve(request.cursors.byteLength),
          output: workspace.reserve(request.valueCount * 8),
        },
  );
  workspace.endStates();
  return layout;
}

/** Returns the size in bytes of the counts that a task returns, rounded up to a multiple of 16. */
export function countBytes({ counterCount }: Extract<CollectRequest, { kind: "counts" }>): number {
  return Math.ceil(counterCount / 4) * 16;
}

export interface ValueCollector {
  begin(): void;
  openRowGroup(): void;
  /**
   * Returns whether one call of `fold` accepts the whole row group. Call it while all rows of the row group are active.
   */
  canFoldRowGroup(): boolean;
  fold(): void;
}

/** Compiles the second scan of percentiles, which gathers the values in the wanted buckets. */
export function compileValueCollector(
  grouping: BoundGrouping,
  requests: readonly CollectRequest[],
  layout: readonly CollectLayout[],
  compilation: Compilation,
): ValueCollector {
  const { source } = compilation;
  const numbering = compileNumbering(grouping.keys as readonly NumberedKey[], compilation);
  const folds = requests.map((request, index) => {
    const quantile = grouping.quantiles[request.quantile];
    const compile = quantile.shift >= 0 ? compileFind : compileCollect;
    return compile(quantile, request, layout[index], numbering, compilation);
  });
  return {
    begin: () => {
      const { arena, base } = source;
      requests.forEach((request, index) => {
        const { cursors, output } = layout[index];
        if (request.kind === "values") arena.u32.set(request.cursors, (base + cursors) / 4);
        else arena.u8.fill(0, base + output, base + output + countBytes(request));
      });
    },
    openRowGroup: () => numbering.openRowGroup(),
    canFoldRowGroup: () => source.isInOneArena && folds.every(canFoldRowGroup),
    fold: () => {
      for (const paths of folds) choosePath(paths).fold();
    },
  };
}

/** Compiles the search for whole numbers, in the form in which they are stored. */
function compileFind(
  quantile: BoundQuantile,
  request: CollectRequest,
  { cursors, output }: CollectLayout,
  numbering: Numbering,
  compilation: Compilation,
): readonly RowsPath[] {
  const { source, workspace } = compilation;
  const { bucketCount, low, shift } = quantile;
  const table = workspace.table(request.table);
  const found = workspace.reserve(vectorSize * 8);
  const whole = compileStoredWhole(quantile, compilation);
  const places = { table, output };
  const counts = compileWantedCounts(quantile, request, places, numbering, compilation);
  const find = (): void => {
    const { kernels, base, rowCount } = source;
    const values = whole();
    const groups = storedGroups(numbering, values);
    const foundCount = kernels.findStored[groups.width][values.width](
      groups.address,
      values.address,
      rowCount,
      values.offset,
      shift,
      base + table + numbering.constant * bucketCount * 4,
      groups.stride * bucketCount,
      base + found,
    );
    if (request.kind === "counts")
      kernels.countFound(base + found, foundCount, shift, base + output);
    else
      kernels.placeFound(base + found, foundCount, low - 2 ** shift, base + cursors, base + output);
  };
  return [
    {
      name: "counts of wanted values",
      canFold: () => !source.isSelected && counts.canCount(),
      canFoldRowGroup: always,
      fold: () => counts.fold(),
    },
    { name: "stored whole numbers", canFold: always, fold: find },
  ];
}

/** Compiles the search for doubles. */
function compileCollect(
  { of, decimals, low, factor, bucketCount }: BoundQuantile,
  request: CollectRequest,
  { cursors, output }: CollectLayout,
  numbering: Numbering,
  compilation: Compilation,
): readonly RowsPath[] {
  const { source, workspace } = compilation;
  const table = workspace.table(request.table);
  const buckets = workspace.reserve(vectorSize * 4);
  const vector = compileVector(of, decimals, compilation);
  const collect = (): void => {
    const { kernels, base, rowCount } = source;
    const values = vector.read();
    kernels.bucket(values, rowCount, low, factor, bucketCount, base + buckets);
    kernels.collect(
      numbering.read(),
      base + buckets,
      values,
      rowCount,
      base + table + numbering.constant * bucketCount * 4,
      bucketCount,
      base + cursors,
      base + output,
    );
  };
  return [{ name: "doubles", canFold: always, fold: collect }];
}
