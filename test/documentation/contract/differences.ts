import { apiErrors } from "../../../core/base/errors.ts";
import { aggregations } from "../../../plugins/protocol/index.ts";

/** A row of the contract that the host answers in another way. */
export interface Difference {
  readonly what: string;
  /** What the host does. */
  readonly here: string;
  readonly reason: string;
}

/** The aggregations that the contract names without saying what they compute. */
const undefinedAggregations = ["rate", "histogram"];

const statuses = [...new Set(Object.values(apiErrors).map(([status]) => status))].toSorted(
  (one, other) => one - other,
);

/** Rows of the contract that are no members of records. Figures and lists come from the host's own tables. */
export const differences: readonly Difference[] = [
  {
    what: "status codes",
    here: `200, 202 for exports that a job writes, and for errors ${statuses.join(", ")}`,
    reason:
      "The contract documents 200, 400 and 500. Clients tell failures below 500 from others, and proxies and retries need the exact status.",
  },
  {
    what: "more than 10,000 rows in a push",
    here: `${apiErrors.DATA_TOO_MANY_ROWS[0]} DATA_TOO_MANY_ROWS`,
    reason: "The status says that the body is too large. The contract has 400.",
  },
  {
    what: `aggregations ${undefinedAggregations.filter((name) => !aggregations.some((each) => each === name)).join(" and ")}`,
    here: "400 QUERY_NOT_SERVED, with the list of aggregations",
    reason:
      "Nobody has published what they compute. Formulas divide aggregates, and `discretization` groups numbers into bins.",
  },
  {
    what: "`authorize` of a plugin is required",
    here: "absent means `none`",
    reason: "Programs that manage records as code leave out members that have their default.",
  },
  {
    what: "members of datasets in a dashboard",
    here: "`cache`, `meta_sync_interval`, `meta_sync_inherit` and `meta_sync_enabled` have their defaults",
    reason:
      "The contract wants null for what does not apply, and types these members as numbers and flags. Typed clients need the type.",
  },
  {
    what: "levels of trees in queries",
    here: "`level` of a hierarchy column is ignored",
    reason:
      "Component kits send a level for every column ([why](decisions/query-members-without-effect.md)). Trees are kept for clients that draw them; columns per level can be grouped.",
  },
  {
    what: "`search` and `tiles` of plugins",
    here: "the flags are kept",
    reason: "Nobody has published the requests of these endpoints.",
  },
  {
    what: "sign-on with SAML",
    here: "an ssoconfig of type `saml` is stored, and nobody can sign in with it",
    reason: "OpenID Connect serves the same providers with fewer risks ([sign-on](SIGN_ON.md)).",
  },
  {
    what: "tokens of type `embed` without `suborganization`",
    here: "belong to no suborganization, and reach only what they name",
    reason:
      "A silo per `username` would hide records that the issuer shares ([tokens](TOKENS.md)).",
  },
];
