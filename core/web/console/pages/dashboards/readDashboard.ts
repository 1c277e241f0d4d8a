import type { Api } from "../../api/index.ts";
import type { Contents } from "./contents.ts";

/** A dashboard as stored. `contents` is null if the dashboard has none. */
export interface StoredDashboard {
  readonly id: string;
  readonly name: unknown;
  readonly contents: Contents | null;
  readonly modified_at: string;
}

/** Fetches a dashboard with its contents; undefined if it does not exist. */
export async function readDashboard(
  api: Api,
  id: string,
  signal?: AbortSignal,
): Promise<StoredDashboard | undefined> {
  const find = {
    where: { id, type: "dashboard" },
    attributes: ["id", "name", "contents", "modified_at"],
  };
  return (await api.get<StoredDashboard>("securable", find, { signal })).rows[0];
}
