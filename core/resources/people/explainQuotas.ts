import { ApiError, type Handler } from "../../base/index.ts";
import type { Quotas } from "../../catalog/index.ts";

/**
 * Creates the action `explain` of `organization`. It returns the quotas of the caller's organization and their usage
 * across all hosts. Only owners of the whole organization may call it; the host's operator sets the quotas. Executes
 * five SQL statements.
 * @throws {ApiError} FORBIDDEN
 */
export function explainQuotas(quotas: Pick<Quotas, "states">): Handler {
  return async ({ principal }) => {
    const { organizationId, organizationRole, suborganization, restriction } = principal;
    if (organizationRole !== "owner" || suborganization || restriction)
      throw new ApiError("FORBIDDEN", [
        "see the quotas of the organization; its owners have this right with a key pair or a session",
      ]);
    return { id: organizationId, quotas: await quotas.states(organizationId) };
  };
}
