/** The types of items that the explorer offers, and the slots of their groupings. */
export const chartTypes = {
  "column-chart": ["x-axis", "legend"],
  "bar-chart": ["y-axis", "legend"],
  "line-chart": ["x-axis", "legend"],
  "area-chart": ["x-axis", "legend"],
  "donut-chart": ["category", "category"],
  "heat-table": ["y-axis", "x-axis"],
  "treemap-chart": ["category", "color"],
  "pivot-table": ["row", "column"],
  "regular-table": ["columns", "columns"],
  "evolution-number": ["evolution", "evolution"],
} as const satisfies Readonly<Record<string, readonly [string, string]>>;
export type ChartType = keyof typeof chartTypes;
