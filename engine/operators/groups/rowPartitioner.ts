import { vectorSize } from "../../kernels/kernels.ts";
import type { BoundGrouping } from "../../plan/boundPlan.ts";
import type { Compilation } from "../rows/compilation.ts";
import { vectorBytes } from "../rows/vectorSource.ts";
import type { Arena } from "../task/arena.ts";
import { compileHashColumn } from "./hashColumns.ts";
import { hashInputs } from "./hashInputs.ts";
import { chunkRows, partitionPlaces, type Partitions } from "./partitions.ts";

/** Writes rows to parts by the hash of their keys. */
export interface RowPartitioner {
  /** Starts without open chunks. Call it once, before any row. */
  begin(): void;
  openRowGroup(): void;
  /** Writes the active rows. */
  add(): void;
  beginLane(lane: number): void;
  endLane(): void;
  /** Completes the parts. Call it once, after all rows. */
  finish(): void;
  /** Whether the block has no room for further rows. Rows are then missing. */
  readonly isOverfull: boolean;
}

/** Where a task partitions rows: the arena of the block, and the address of the task's workspace in that arena. */
export interface PartitionPlace {
  readonly partitions: Partitions;
  readonly arena: Arena;
  readonly base: number;
}

/** Compiles the partitioning of rows, with all values that a grouping reads from them. */
export function compileRowPartitioner(
  grouping: BoundGrouping,
  { partitions, arena, base }: PartitionPlace,
  compilation: Compilation,
): RowPartitioner {
  const { source, workspace } = compilation;
  const { partBits, spanCount, chunkCount } = partitions;
  const inputs = hashInputs(grouping);
  const columns = inputs.columns.map((input) => compileHashColumn(input, compilation));
  const reserve = (sizeBytes: number) => base + workspace.reserve(sizeBytes);
  const keys = inputs.parts.map(() => reserve(vectorBytes));
  const values = reserve(vectorBytes);
  const hashes = reserve(vectorSize * 4);
  const rowPlaces = reserve(vectorSize * 4);
  const cursors = reserve(2 ** partBits * 4);
  const places = partitionPlaces(partitions);
  let span = 0;
  let isOverfull = false;

  const scatter = (column: number, from: number): void => {
    const write =
      columns[column].kind === "number"
        ? arena.kernels.scatterNumbers
        : arena.kernels.scatterValues;
    write(from, rowPlaces, source.rowCount, places.columns[column]);
  };
  const clear = () => arena.u32.fill(0, cursors / 4, cursors / 4 + 2 ** partBits);
  /** Writes the numbers of rows in the open chunks, so that the next rows start new chunks. */
  const closeChunks = (): void => {
    if (isOverfull) return;
    const { u32 } = arena;
    for (let part = 0; part < 2 ** partBits; part++) {
      const cursor = u32[cursors / 4 + part];
      const inChunk = cursor % chunkRows;
      if (inChunk > 0) u32[places.sizes / 4 + (cursor - inChunk) / chunkRows] = inChunk;
    }
    clear();
  };

  return {
    get isOverfull() {
      return isOverfull;
    },
    begin: clear,
    openRowGroup: () => {
      for (const column of columns) column.openRowGroup();
    },
    add: () => {
      const { rowCount } = source;
      const { kernels } = arena;
      keys.forEach((to, part) => {
        columns[part].copy(arena, to);
        const hash = columns[part].kind === "number" ? kernels.hashNumbers : kernels.hashValues;
        hash(to, rowCount, hashes, part === 0 ? 1 : 0);
      });
      const done = kernels.placeRows(
        hashes,
        rowCount,
        32 - partBits,
        cursors,
        places.takenCount,
        chunkCount,
        spanCount,
        span,
        places.owners,
        rowPlaces,
      );
      if (done < rowCount) {
        isOverfull = true;
        return;
      }
      keys.forEach((from, part) => scatter(part, from));
      for (let column = keys.length; column < columns.length; column++) {
        columns[column].copy(arena, values);
        scatter(column, values);
      }
    },
    beginLane: (lane) => {
      if (spanCount > 1) span = lane;
    },
    endLane: () => {
      if (spanCount > 1) closeChunks();
    },
    finish: closeChunks,
  };
}
