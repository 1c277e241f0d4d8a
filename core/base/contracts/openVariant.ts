/**
 * The keyword that marks the variant of a union that accepts values unknown to this version. Types omit this variant,
 * because it would accept every misspelling of the other variants.
 */
export const openVariant = "x-open-variant";
