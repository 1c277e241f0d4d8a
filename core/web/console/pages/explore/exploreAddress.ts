/** The parts of an Explore address: a question, the view of its answer, and the dashboard that it belongs to. */
export interface ExploreAddress {
  readonly datasetId?: string;
  readonly question?: string;
  readonly view?: string;
  readonly search?: string;
  readonly dashboardId?: string;
  /** Id of the saved question that the reader opened. */
  readonly savedId?: string | undefined;
}

/** Returns an Explore address. Empty members are left out. */
export function exploreAddress(address: ExploreAddress): string {
  const { datasetId = "", question, view, search, dashboardId, savedId } = address;
  const query = new URLSearchParams();
  for (const [name, value] of [
    ["q", question],
    ["view", view],
    ["search", search],
    ["dashboard", dashboardId],
    ["saved", savedId],
  ] as const)
    if (value) query.set(name, value);
  const path = datasetId === "" ? "/explore" : `/explore/${encodeURIComponent(datasetId)}`;
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
