import type { ChartItem, Picks } from "../../charts/index.ts";

export interface PickersOptions {
  /** The cell of the item. */
  readonly container: HTMLElement;
  /** Returns the item as stored, completed with its columns; undefined until they have loaded. */
  item(): ChartItem | undefined;
  picks(): Picks;
  region(): { readonly localeId: string; readonly timezoneId: string };
  onPick(slot: string, key: string): void;
  onFailure(failure: unknown): void;
}
