// Who may do what: key and token to principal, and the first owner.
// May import: core/catalog, core/resources, core/errors.
export { authenticate } from "./authenticate.ts";
export { ensureOwner, type MadePair, type OwnerOptions } from "./ensureOwner.ts";
export type { Principal, Right } from "./principal.ts";
