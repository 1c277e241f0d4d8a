/** What is known about the values of a column. Counts are exact, or those of the first rows if `isSampled`. */
export interface ColumnProfile {
  readonly id: string;
  /** The name of the column, by language. */
  readonly name: unknown;
  /** The name in the reader's language. */
  readonly title: string;
  readonly type: "numeric" | "hierarchy" | "datetime";
  readonly subtype: string | null;
  readonly format: string | null;
  /** The aggregation that someone set for measures of the column; `sum` if nobody has. */
  readonly aggregation: string | null;
  /** Number of rows with a value. */
  readonly filled: number;
  /** Number of different values. */
  readonly distinct: number;
  /** The smallest and the largest value. Null if there is none. */
  readonly least: unknown;
  readonly most: unknown;
  /** Values of the first rows, without nulls. */
  readonly samples: readonly unknown[];
  /** Whether the counts are only those of the first rows. */
  readonly isSampled?: boolean;
  /** Whether most values name countries. */
  readonly isCountry?: boolean;
}

/** The number of rows in a period. */
export interface PeriodCount {
  /** Start of the period, as an instant. */
  readonly start: string;
  readonly rows: number;
}

/** The periods of the column by which a board shows trends. */
export interface TrendProfile {
  readonly columnId: string;
  /** Level of the periods, from 1 (year) to 9 (millisecond). */
  readonly level: number;
  /** Periods with rows, in chronological order. */
  readonly periods: readonly PeriodCount[];
}

/** The shape of a dataset: everything that decides which charts suit it. */
export interface BoardProfile {
  readonly datasetId: string;
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ColumnProfile[];
  /** Absent if the dataset has no column for trends. */
  readonly trend?: TrendProfile | undefined;
  /** The current time in milliseconds. A period that contains it has not ended. */
  readonly nowMs: number;
}
