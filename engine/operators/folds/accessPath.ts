/**
 * A way to fold rows, and a function that tells whether this way applies. Of several ways, the first that applies is
 * used.
 */
interface Choice {
  /** The name of the path, for tests. */
  readonly name: string;
  /** Returns whether the path applies to the active rows. Reads no rows. */
  canFold(): boolean;
  /**
   * Returns whether `fold` also accepts a whole row group at once, given that `canFold` returned true. The path then
   * reads only stored values, and any number of rows. If absent, the path never accepts a whole row group.
   */
  canFoldRowGroup?(): boolean;
}

/**
 * A way to fold rows into the state of a slot. Source of the term: P. Selinger et al., Access Path Selection (1979).
 */
export interface AccessPath extends Choice {
  /**
   * Folds the active rows. `state` is the address of the state of group `Numbering.constant`. Only keys that have a
   * single value in the row group contribute to that number.
   */
  fold(state: number): void;
}

/** A way to fold rows for which the address of the state is known at compile time. */
export interface RowsPath extends Choice {
  fold(): void;
}

/** The ways to fold rows into a slot. */
export interface SlotFold {
  /** The paths in order of preference. The last path always applies. */
  readonly paths: readonly AccessPath[];
  readonly summary: SummaryPath;
}

/** Folds a row group whose rows all belong to one group, using only zone maps. */
interface SummaryPath {
  canFold(): boolean;
  fold(state: number, rowCount: number): void;
}

/** A path for slots that cannot be computed from zone maps. It never applies. */
export const noSummary: SummaryPath = { canFold: () => false, fold: () => undefined };

export const always = (): boolean => true;

/** Returns the first path that can fold the selected rows. */
export function choosePath<Path extends Choice>(paths: readonly Path[]): Path {
  for (const path of paths) if (path.canFold()) return path;
  throw new RangeError("no access path applies");
}

/**
 * Returns whether the first path that applies accepts a whole row group at once. Call it only if all rows of the row
 * group are active.
 */
export function canFoldRowGroup(paths: readonly Choice[]): boolean {
  return choosePath(paths).canFoldRowGroup?.() ?? false;
}
