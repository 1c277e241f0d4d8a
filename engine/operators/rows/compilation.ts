import type { BoundTest } from "../../expressions/boundValue.ts";
import type { Workspace } from "../task/workspace.ts";
import type { VectorSource } from "./vectorSource.ts";

/** A value per row to look at, as doubles with NaN for null. */
export interface Vector {
  /** Returns the address of the values; they stay until the source moves on. */
  read(): number;
}

/** The source and workspace that compiled operators share. */
export interface Compilation {
  readonly source: VectorSource;
  readonly workspace: Workspace;
  /** Compiles a test to a byte per row to look at, 1 where it is true: `compileMask`, which imports this file. */
  readonly maskOf: (test: BoundTest, compilation: Compilation) => Vector;
}

/** Writes a vector at an address, or returns the address where it already is. */
export type Fill = (to: number) => number;
