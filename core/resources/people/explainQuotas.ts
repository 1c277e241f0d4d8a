import { ApiError, type Handler } from "../../base/index.ts";
import type { Quotas } from "../../catalog/index.ts";

/**
 * Makes the action `explain` of `organization`: the limits of the caller's organization and what it uses of each, over
 * all hosts. For its owners who are in no suborganization. The operator of the host sets the limits. Five statements.
 * @throws {ApiError} FORBIDDEN
 */
export function explainQuotas(quotas: Pick<Quotas, "states">): Handler {
  return async ({ principal }) => {
    const { organizationId, organizationRole, suborganization, restriction } = principal;
    if (organizationRole !== "owner" || suborganization || restriction)
      throw new ApiError("FORBIDDEN", [
        "see the quotas of the organization; its owners have it, with a key pair or a session",
      ]);
    return { id: organizationId, quotas: await quotas.states(organizationId) };
  };
}
