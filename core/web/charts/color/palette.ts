/**
 * Ten series colours for white backgrounds and ten for dark backgrounds. The search for them started with the
 * Observable 10 palette. It moved the colours until every pair was distinguishable (at least 7 in OKLab × 100) for
 * normal vision, protanopia, deuteranopia and tritanopia. Each colour also had to have a contrast of 3 with its
 * background. The test of this file checks both conditions.
 */
export const lightSeries = [
  "#2f5fc4",
  "#c08a00",
  "#d8375c",
  "#1ea4a0",
  "#616d00",
  "#6516a9",
  "#e76b8b",
  "#6081b8",
  "#633513",
  "#3a3d44",
] as const;

/** The hues of `lightSeries`, adapted to dark backgrounds. */
export const darkSeries = [
  "#5b8def",
  "#ffc231",
  "#c53c29",
  "#8ce5cf",
  "#3fc788",
  "#8f4dda",
  "#c35582",
  "#99bef7",
  "#b68365",
  "#989ca4",
] as const;
