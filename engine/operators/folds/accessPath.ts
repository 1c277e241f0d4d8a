/** A way to fold rows, with a test that says whether it applies. The first one that applies is used. */
interface Choice {
  /** Shown in tests. */
  readonly name: string;
  /** Returns whether the path applies to the active rows. Reads no rows. */
  canFold(): boolean;
  /**
   * Returns whether `fold` also accepts a whole row group at once if `canFold` returns true for it. The path then reads
   * only stored values, in any number. If absent, it never does.
   */
  canFoldRowGroup?(): boolean;
}

/**
 * A way to fold rows into the state of a slot. Source of the term: P. Selinger et al., Access Path Selection (1979).
 */
export interface AccessPath extends Choice {
  /** Folds the active rows. `state` is the address of the state of the group that the constant keys determine. */
  fold(state: number): void;
}

/** A way to fold rows whose state is known at compile time. */
export interface RowsPath extends Choice {
  fold(): void;
}

/** The ways to fold rows into a slot. */
export interface SlotFold {
  /** In order of preference. The last one always applies. */
  readonly paths: readonly AccessPath[];
  readonly summary: SummaryPath;
}

/** Folds a whole row group that belongs to one group, using only its zone maps. */
interface SummaryPath {
  canFold(): boolean;
  fold(state: number, rowCount: number): void;
}

/** The summary of slots that zone maps cannot compute. */
export const noSummary: SummaryPath = { canFold: () => false, fold: () => undefined };

export const always = (): boolean => true;

/** Returns the first path that can fold the selected rows. */
export function choosePath<Path extends Choice>(paths: readonly Path[]): Path {
  for (const path of paths) if (path.canFold()) return path;
  throw new RangeError("no access path applies");
}

/**
 * Returns whether the first path that applies accepts a whole row group at once. Call it only when all rows of the row
 * group are active.
 */
export function canFoldRowGroup(paths: readonly Choice[]): boolean {
  return choosePath(paths).canFoldRowGroup?.() ?? false;
}
