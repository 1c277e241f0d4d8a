import type { ControlId } from "./controls.ts";

/** The settings that the reader chose for reading a file. Absent settings are detected by the host. */
export type FileSettings = Readonly<Partial<Record<ControlId, unknown>>>;

/** What the reader chose for a column of the file. Absent members keep what the host detected. */
export interface ColumnChoice {
  readonly type?: string;
  /** The format of dates, such as `%d.%m.%Y`. */
  readonly format?: string;
  /** Name of the column in the dataset: its shown name in a new dataset, its source name in an existing one. */
  readonly name?: string;
}
