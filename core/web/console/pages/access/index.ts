// The page People and access: people, groups, suborganizations, integrations, sign-on, tokens, charts, audit and usage.
// May import: core/web/console/language, core/web/console/parts, core/web/console/records, core/web/console/styles;
// lit.
export { AccessPage } from "./accessPage.ts";
