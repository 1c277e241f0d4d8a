/**
 * Ten colours for series on white, and ten on a dark ground. They began as Observable 10 and were moved, by search,
 * until each pair stays apart (7 or more in OKLab × 100) for normal sight, protanopia, deuteranopia and tritanopia, and
 * each has a contrast of 3 with its ground. The test of this file measures both.
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

/** The same hues, for a dark ground. */
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
