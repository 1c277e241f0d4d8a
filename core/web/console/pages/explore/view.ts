/** How an answer is seen. */
export const views = ["both", "chart", "table", "plan"] as const;
export type View = (typeof views)[number];

/** Returns the view of a name; chart and table for any other. */
export const viewOf = (name: string | null): View => views.find((view) => view === name) ?? "both";
