import type { BoundTest } from "../../expressions/boundValue.ts";
import type { Workspace } from "../task/workspace.ts";
import type { SharedVectors } from "./sharedVectors.ts";
import type { VectorSource } from "./vectorSource.ts";

/** An expression's value for each active row, as doubles with NaN for null. */
export interface Vector {
  /** Returns the address of the values. They are valid until the source moves to other rows. */
  read(): number;
}

/** The source and workspace that compiled operators share. */
export interface Compilation {
  readonly source: VectorSource;
  readonly workspace: Workspace;
  /**
   * Compiles a predicate to one byte per active row, which is 1 if the predicate is true. The function is
   * `compileMask`. It is passed here, because its file imports this file.
   */
  readonly maskOf: (test: BoundTest, compilation: Compilation) => Vector;
  readonly shared: SharedVectors<Vector>;
}

/** Writes a vector to an address, or returns the address at which the vector already is. */
export type Fill = (to: number) => number;
