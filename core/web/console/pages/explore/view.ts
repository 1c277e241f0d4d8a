/** The views in which Explore shows an answer: chart and table, one of them, or the plan. */
export const views = ["both", "chart", "table", "plan"] as const;
export type View = (typeof views)[number];

/** Returns the view with a name; chart and table for any other name. */
export const viewOf = (name: string | null): View => views.find((view) => view === name) ?? "both";
