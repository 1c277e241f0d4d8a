import type { ItemFilters } from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";
import type { Clause } from "../selections/index.ts";
import type { OpenItem } from "./openItem.ts";

export interface BrushesOptions {
  readonly items: ReadonlyMap<string, OpenItem>;
  readonly callHost: CallHost;
  readonly signal: AbortSignal;
  readerRegion(): { readonly timezoneId: string; readonly localeId: string };
  /** Returns the filters of an item, without filters from the source `without`. */
  filtersFor(itemId: string, without: string): ItemFilters;
  clauseOf(open: OpenItem): Clause | undefined;
  /** Applies the clause of a brush. The caller then redraws or reloads the items that the clause filters. */
  take(itemId: string, clause: Clause, isDone: boolean): void;
  /** Removes the clause of a brush and reloads the items that it filtered. */
  release(itemId: string, isDone: boolean): void;
  loadItem(itemId: string): void;
}

/** Brushes: drags over pictures that filter the other items while the drag continues. */
export interface Brushes {
  /**
   * Fetches the cubes of the items that a brush over one item would filter, so that the brush needs no queries for
   * them.
   */
  prepare(itemId: string): Promise<void>;
  /**
   * Filters the items linked to the brushed item: immediately from their cubes, or through the host for items without a
   * cube.
   */
  brush(itemId: string, rows: readonly number[], isDone: boolean): void;
  /** Discards the plan after another change, so that the brush computes a new plan in its next frame. */
  replan(): void;
  /** Discards all cubes because their rows are outdated. */
  forget(): void;
  close(): void;
}
