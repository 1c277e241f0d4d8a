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

/** The association between a recipient and a dataset or dashboard, from the recipient's side. */
const linkTo = (id: string) => ({ role: "Securables", id });

/**
 * Shares a dashboard and its datasets with a recipient, in one call that the host carries out completely or not at all.
 * A right on a dataset that is higher than *use* stays as it is.
 */
export async function storeShare(
  api: Api,
  { dashboardId, recipient, right, choices }: ShareOrder,
): Promise<void> {
  const associations = choices.flatMap((choice) => {
    const filters = filtersOf(choice);
    if (!filters) return [];
    const { datasetId, stored } = choice;
    const kept = stored && isAtLeast(stored.right, "use") ? stored.right : "use";
    return { ...linkTo(datasetId), properties: { ...flagsFor(recipient, kept), filters } };
  });
  const dissociations = choices
    .filter((choice) => choice.stored && !filtersOf(choice))
    .map(({ datasetId }) => linkTo(datasetId));
  await api.call(recipient.kind, "associate", {
    id: recipient.id,
    resource: linkTo(dashboardId),
    properties: flagsFor(recipient, right),
    associations,
    dissociations,
  });
}

/** Ends the shares of records with a recipient, all of them or none. */
export async function endShares(
  api: Api,
  { kind, id }: Pick<Recipient, "kind" | "id">,
  recordIds: readonly string[],
): Promise<void> {
  const [first, ...others] = recordIds;
  if (first === undefined) return;
  await api.call(kind, "dissociate", {
    id,
    resource: linkTo(first),
    dissociations: others.map(linkTo),
  });
}

/** Integrations never own records, so their shares have no flag for it. */
function flagsFor({ kind }: Recipient, right: Right): Readonly<Record<string, boolean>> {
  const { flagOwn, ...flags } = flagsOf(right);
  return kind === "integration" ? flags : { ...flags, ...(flagOwn && { flagOwn }) };
}
