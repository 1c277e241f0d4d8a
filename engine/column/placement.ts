/**
 * The arena that contains each row group of a table, if known. All columns of a row group share one arena if it has
 * enough space.
 */
export type Placement = (number | undefined)[];
