/** The arena of each row group of a table, if known. All columns of a row group share one arena when there is space. */
export type Placement = (number | undefined)[];
