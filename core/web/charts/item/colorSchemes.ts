/**
 * Names of colour schemes for classes of numbers, from package `@luzmo/dashboard-contents-types` 1.0.31: the schemes of
 * ColorBrewer and matplotlib among them.
 */
export const colorSchemes = [
  "Blues",
  "BrBG",
  "BuGn",
  "BuPu",
  "GnBu",
  "Greens",
  "Greys",
  "Inferno",
  "OrRd",
  "Oranges",
  "PRGn",
  "PiYG",
  "Plasma",
  "PuBu",
  "PuOr",
  "PuRd",
  "Purples",
  "RdBu",
  "RdGy",
  "RdPu",
  "RdYlBu",
  "RdYlGn",
  "Reds",
  "Spectral",
  "Viris",
  "YlGn",
  "YlGnBu",
  "YlOrBr",
  "YlOrRd",
] as const;

/** The name of a colour scheme. */
export type ColorScheme = (typeof colorSchemes)[number];
