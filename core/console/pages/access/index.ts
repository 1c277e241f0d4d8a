// The page People and access: users, groups, integrations, tokens, what a token sees, and the audit.
// May import: core/console/api, core/console/language, core/console/navigation, core/console/parts,
// core/console/styles; lit.
export { AccessPage } from "./accessPage.ts";
