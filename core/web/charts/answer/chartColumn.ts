import type { SlotField } from "../item/item.ts";
import type { ChartCell } from "./chartRequest.ts";

/** One column of an answer, with functions to read and format its cells. */
export interface ChartColumn {
  readonly field: SlotField;
  /** The name of the column that readers see. */
  readonly name: string;
  readonly isNumeric: boolean;
  readonly isDatetime: boolean;
  /** Returns the cell as a number; null if it is missing or not a number. */
  number(cell: ChartCell | undefined): number | null;
  /** Returns the wall-clock time in milliseconds; null if the cell is not a datetime. */
  wallMs(cell: ChartCell | undefined): number | null;
  /** Returns the full value of the cell in the reader's format. */
  text(cell: ChartCell | undefined): string;
  /** Returns a string for comparing cells: equal for equal values, and different for different values. */
  key(cell: ChartCell | undefined): string;
  /** Returns the colour stored for the value of the cell; undefined if no colour is stored. */
  color(cell: ChartCell | undefined): string | undefined;
}
