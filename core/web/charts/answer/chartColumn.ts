import type { SlotField } from "../item/item.ts";
import type { ChartCell } from "./chartRequest.ts";

/** One column of an answer, with how its cells are read and written. */
export interface ChartColumn {
  readonly field: SlotField;
  /** Shown to people. */
  readonly name: string;
  readonly isNumeric: boolean;
  readonly isDatetime: boolean;
  /** A number; null for a missing one and for texts. */
  number(cell: ChartCell | undefined): number | null;
  /** The time on the wall clock, in milliseconds; null for what is no datetime. */
  wallMs(cell: ChartCell | undefined): number | null;
  /** The cell in full, as people read it. */
  text(cell: ChartCell | undefined): string;
  /** Distinguishes two values. */
  key(cell: ChartCell | undefined): string;
  /** The stored colour of a value. */
  color(cell: ChartCell | undefined): string | undefined;
}
