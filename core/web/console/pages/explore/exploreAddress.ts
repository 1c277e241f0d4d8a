/** The parts of an address of Explore: a question, the view of its answer, and the dashboard that it is asked for. */
export interface ExploreAddress {
  readonly datasetId?: string;
  readonly question?: string;
  readonly view?: string;
  readonly search?: string;
  readonly dashboardId?: string;
}

/** Writes an address of Explore; members that are empty are left out. */
export function exploreAddress(address: ExploreAddress): string {
  const { datasetId = "", question, view, search, dashboardId } = address;
  const query = new URLSearchParams();
  for (const [name, value] of [
    ["q", question],
    ["view", view],
    ["search", search],
    ["dashboard", dashboardId],
  ] as const)
    if (value) query.set(name, value);
  const path = datasetId === "" ? "/explore" : `/explore/${encodeURIComponent(datasetId)}`;
  return query.size > 0 ? `${path}?${query.toString()}` : path;
}
