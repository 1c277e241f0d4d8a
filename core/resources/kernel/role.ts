import type { Right } from "../../base/index.ts";

/** A role in the organization that an action requires, rather than a right on a record. */
export type OrganizationRole = "organizationMember" | "organizationEditor" | "organizationOwner";

/** The right on a record, or the role in its organization, that an action requires. */
export type Role = Right | OrganizationRole;
