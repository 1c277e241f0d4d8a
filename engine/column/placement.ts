/**
 * The arena of each row group of a table, where it is known. All columns of a row group are in one arena when there is
 * room.
 */
export type Placement = (number | undefined)[];
