/** Kinds of charts that a model chooses from. */
export const charts = [
  "bar-chart",
  "column-chart",
  "line-chart",
  "donut-chart",
  "evolution-number",
  "regular-table",
] as const;
export type Chart = (typeof charts)[number];

/** Where a chart takes its dimensions and its measures: the names of its slots. */
export const slotsOf: Readonly<
  Record<Chart, { readonly dimensions: readonly string[]; readonly measures: string }>
> = {
  "bar-chart": { dimensions: ["y-axis", "legend"], measures: "measure" },
  "column-chart": { dimensions: ["x-axis", "legend"], measures: "measure" },
  "line-chart": { dimensions: ["x-axis", "legend"], measures: "measure" },
  "donut-chart": { dimensions: ["category"], measures: "measure" },
  "evolution-number": { dimensions: [], measures: "measure" },
  "regular-table": { dimensions: [], measures: "columns" },
};
