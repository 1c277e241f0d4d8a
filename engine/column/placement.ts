/**
 * The arena of each row group of a table, as far as it is known: the columns of a row group lie together where there is
 * room.
 */
export type Placement = (number | undefined)[];
