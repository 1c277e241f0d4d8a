// Sign-on through providers of the organization: their configurations, claims, tests and SCIM.
// May import: core/web/console/api, core/web/console/language, core/web/console/parts, core/web/console/records; lit.
export { AddressLimit } from "./addressLimit.ts";
export { providers } from "./providers.ts";
export { SecondFactorDemand } from "./secondFactorDemand.ts";
export { SignOnForm } from "./signOnForm.ts";
