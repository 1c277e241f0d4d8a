/**
 * Returns whether a remark of the host only says how many rows determined the types. The dialog says so itself, and the
 * types of an import are those of its preview.
 */
export const countsRows = (note: string): boolean =>
  note.startsWith("the types were detected from ");
