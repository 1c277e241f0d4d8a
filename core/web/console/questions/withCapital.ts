/** Returns a phrase with a capital first letter. */
export const withCapital = (text: string): string =>
  text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
