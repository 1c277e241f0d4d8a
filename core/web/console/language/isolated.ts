/** Keeps the direction of a name within a sentence, whatever its script. */
export const isolated = (name: string): string => `\u2068${name}\u2069`;
