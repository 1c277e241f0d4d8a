/** A `partCount` larger than any number of row groups or pieces, so that each task encodes a single part. */
export const onePart = 2 ** 31;
