// Who may do what: key and token to principal, what kinds of tokens may ask, filters on rows, and the first owner.
// May import: core/catalog, core/resources, core/queries, core/errors, core/call.
export { isAnonymous } from "./anonymous.ts";
export { authenticate } from "./authenticate.ts";
export { createSignIn, type SignIn } from "./createSignIn.ts";
export { ensureOwner, type MadePair, type OwnerOptions } from "./ensureOwner.ts";
export { forgetAfterChange } from "./forgetAfterChange.ts";
export { openAccess, type Access } from "./openAccess.ts";
export { permits, restrictedActions } from "./permits.ts";
export { openVisits, type Visits } from "./openVisits.ts";
export { openToPublic } from "./readPublic.ts";
export { createRowFilters } from "./rowFilters.ts";
