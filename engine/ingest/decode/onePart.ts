/** A `partCount` above every count of row groups or pieces, so that each part holds one. */
export const onePart = 2 ** 31;
