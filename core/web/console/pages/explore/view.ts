/** The views of an answer. */
export const views = ["both", "chart", "table", "plan"] as const;
export type View = (typeof views)[number];

/** Returns the view with a name; chart and table for any other name. */
export const viewOf = (name: string | null): View => views.find((view) => view === name) ?? "both";
