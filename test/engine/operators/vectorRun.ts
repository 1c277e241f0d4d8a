import { vectorSize } from "../../../engine/kernels/kernels.ts";
import { Memory } from "../../../engine/memory/memory.ts";
import { Arena } from "../../../engine/operators/task/arena.ts";
import type { Compilation, Vector } from "../../../engine/operators/rows/compilation.ts";
import { compileMask } from "../../../engine/operators/filter/masks.ts";
import { SharedVectors } from "../../../engine/operators/rows/sharedVectors.ts";
import { VectorSource } from "../../../engine/operators/rows/vectorSource.ts";
import { Workspace } from "../../../engine/operators/task/workspace.ts";
import type { Random } from "../../support/random.ts";
import type { GeneratedColumn } from "./columnMaker.ts";

/** Opens a memory whose data is in one arena or spread over three. */
export function openMemory(random: Random): Memory {
  if (random.chance(0.5)) return new Memory({ budgetBytes: 2 ** 28 });
  const memory = new Memory({ budgetBytes: 2 ** 28, arenaBytes: 2 ** 20 });
  memory.freeScratch(memory.allocateScratch(64, 2));
  return memory;
}

/** A compiled operator with its own workspace. */
interface Compiled<Operator> {
  readonly operator: Operator;
  readonly source: VectorSource;
  /**
   * Visits all vectors. Some of them are narrowed by a random selection. `rows` are the positions of active rows in
   * the row group.
   */
  forEachVector(visit: (group: number, rows: readonly number[]) => void): void;
  openRowGroup(group: number): void;
  /** Opens a vector and returns its active rows; an empty list if all rows are excluded. */
  openVector(group: number, start: number): readonly number[];
}

/** Compiles an operator twice, as the pool does: first to measure its workspace, then to place it there. */
export function compileOver<Operator>(
  random: Random,
  memory: Memory,
  columns: readonly GeneratedColumn[],
  compile: (compilation: Compilation) => Operator,
): Compiled<Operator> {
  if (memory.arenas.length === 0) memory.freeScratch(memory.allocateScratch(64, 0));
  const arenas = memory.arenas.map((each) => new Arena(each));
  const bound = columns.map((column) => column.bound);
  const build = (bases: readonly number[]) => {
    const workspace = new Workspace();
    const source = new VectorSource(arenas, bases, bound, workspace);
    const operator = compile({
      source,
      workspace,
      maskOf: compileMask,
      shared: new SharedVectors<Vector>(),
    });
    const mask = workspace.reserve(vectorSize);
    return { source, operator, mask, sizeBytes: workspace.sizeBytes };
  };
  const { sizeBytes } = build(arenas.map(() => 0));
  const bases = arenas.map((_, arena) => memory.allocateScratch(sizeBytes, arena).offset);
  for (const arena of arenas) arena.reach();
  const { source, operator, mask } = build(bases);
  source.begin();
  const openVector = (group: number, start: number): readonly number[] => {
    const count = Math.min(vectorSize, columns[0].groups[group].length - start);
    source.openVector(start, count);
    const share = random.pick([1, 1, 0.5, 0.01]);
    const bytes = Uint8Array.from({ length: count }, () => (random.chance(share) ? 1 : 0));
    source.arena.u8.set(bytes, source.base + mask);
    source.select(source.base + mask);
    return Array.from(bytes.keys())
      .filter((row) => bytes[row] === 1)
      .map((row) => start + row);
  };
  return {
    operator,
    source,
    openRowGroup: (group) => source.openRowGroup(group),
    openVector,
    forEachVector: (visit) => {
      columns[0].groups.forEach(({ length }, group) => {
        source.openRowGroup(group);
        for (let start = 0; start < length; start += vectorSize) {
          const rows = openVector(group, start);
          if (rows.length > 0) visit(group, rows);
        }
      });
    },
  };
}

/** Returns random row counts of row groups. Some are close to the length of a vector, and one is very small. */
export function randomRowCounts(random: Random): readonly number[] {
  return Array.from({ length: 2 + random.below(4) }, () =>
    random.pick([1, 3, 17, vectorSize - 1, vectorSize, vectorSize + 1, 5000]),
  );
}

/** Reads doubles that an operator has written. */
export const readDoubles = ({ arena }: VectorSource, address: number, count: number) =>
  Array.from(arena.f64.subarray(address / 8, address / 8 + count));
export const readWords = ({ arena }: VectorSource, address: number, count: number) =>
  Array.from(arena.u32.subarray(address / 4, address / 4 + count));
export const readBytes = ({ arena }: VectorSource, address: number, count: number) =>
  Array.from(arena.u8.subarray(address, address + count));
