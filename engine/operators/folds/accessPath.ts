/** A test that says whether a way to fold rows applies; the first that does is taken. */
interface Choice {
  /** Shown by tests. */
  readonly name: string;
  /** Whether the path applies to the rows to look at. Reads no row. */
  canFold(): boolean;
  /**
   * Whether `fold` also takes a whole row group at once, where `canFold` says yes to it: then it reads stored values
   * alone, in any number. Absent: never.
   */
  canFoldRowGroup?(): boolean;
}

/**
 * One way to fold rows into the state of a slot. Source of the term: P. Selinger et al., Access Path Selection (1979).
 */
export interface AccessPath extends Choice {
  /** Folds the rows to look at. `state` is the address of the state of the group that the constant keys number. */
  fold(state: number): void;
}

/** A way to fold rows whose state is known when it is compiled. */
export interface RowsPath extends Choice {
  fold(): void;
}

/** How rows are folded into a slot. */
export interface SlotFold {
  /** In order of preference; the last one always applies. */
  readonly paths: readonly AccessPath[];
  readonly summary: SummaryPath;
}

/** Folds a whole row group of one group from its zone maps alone. */
interface SummaryPath {
  canFold(): boolean;
  fold(state: number, rowCount: number): void;
}

/** The summary of slots that zone maps cannot answer. */
export const noSummary: SummaryPath = { canFold: () => false, fold: () => undefined };

export const always = (): boolean => true;

/** Returns the first path that can fold the selected rows. */
export function choosePath<Path extends Choice>(paths: readonly Path[]): Path {
  for (const path of paths) if (path.canFold()) return path;
  throw new RangeError("no access path applies");
}

/**
 * Whether the first path that applies takes a whole row group at once. Call it only when no row of the row group is
 * left out.
 */
export function canFoldRowGroup(paths: readonly Choice[]): boolean {
  return choosePath(paths).canFoldRowGroup?.() ?? false;
}
