import type { Api } from "../../../api/index.ts";
import {
  filtersOf,
  flagsOf,
  isAtLeast,
  type DatasetChoice,
  type Recipient,
  type Right,
} from "../../../sharing/index.ts";

export interface ShareOrder {
  readonly dashboardId: string;
  readonly recipient: Recipient;
  readonly right: Right;
  readonly choices: readonly DatasetChoice[];
}

const roles = { user: "Users", group: "Groups", integration: "Integrations" } as const;

/** Returns the association through which a record is shared with a recipient. */
export const targetOf = ({ kind, id }: Pick<Recipient, "kind" | "id">) => ({
  role: roles[kind],
  id,
});

/**
 * Shares a dashboard and its datasets with a recipient. The datasets come first, so that a failure never leaves a
 * dashboard that is shared without its data. A right on a dataset that is higher than *use* stays as it is.
 */
export async function storeShare(
  api: Api,
  { dashboardId, recipient, right, choices }: ShareOrder,
): Promise<void> {
  const target = targetOf(recipient);
  for (const choice of choices) {
    const { datasetId, stored } = choice;
    const filters = filtersOf(choice);
    if (filters) {
      const kept = stored && isAtLeast(stored.right, "use") ? stored.right : "use";
      const properties = { ...flagsFor(recipient, kept), filters };
      await api.associate("securable", datasetId, target, properties);
    } else if (stored) await api.dissociate("securable", datasetId, target);
  }
  await api.associate("securable", dashboardId, target, flagsFor(recipient, right));
}

/** Integrations never own records, so their shares have no flag for it. */
function flagsFor({ kind }: Recipient, right: Right): Readonly<Record<string, boolean>> {
  const { flagOwn, ...flags } = flagsOf(right);
  return kind === "integration" ? flags : { ...flags, ...(flagOwn && { flagOwn }) };
}
