// Sign-on through an organization's identity provider (OpenID Connect), and the rights that follow from claims.
// May import: core/base, core/catalog, core/identity/access, core/identity/factors; knex, openid-client, scimmy,
// typebox.
export { createSignOn, type SignOn } from "./createSignOn.ts";
export { createScim, type Scim, type ScimScope } from "./scim/createScim.ts";
export type { GuardedFetch } from "./discoverProvider.ts";
export { explainProvider } from "./explainProvider.ts";
export { testProvider } from "./testProvider.ts";
export { checkProvider, providerSchemas } from "./provider.ts";
