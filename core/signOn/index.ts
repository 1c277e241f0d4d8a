// Sign-on by a provider of an organization (OpenID Connect): its people, and the rights that follow from claims.
// May import: core/access, core/audit, core/catalog, core/contracts, core/errors, core/factors, core/json; knex,
// openid-client, scimmy.
export { createSignOn, type SignOn } from "./createSignOn.ts";
export { createScim, type Scim, type ScimPlace } from "./scim/createScim.ts";
export type { GuardedFetch } from "./discoverProvider.ts";
export { explainProvider } from "./explainProvider.ts";
export { testProvider } from "./testProvider.ts";
export { checkProvider } from "./provider.ts";
