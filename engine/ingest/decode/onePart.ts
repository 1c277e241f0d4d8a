/** A `partCount` with which a part of a file is one row group, or one piece: more than there are. */
export const onePart = 2 ** 31;
