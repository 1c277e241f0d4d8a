// The page People and access: people, groups, suborganizations, integrations, sign-on, tokens, charts, audit and usage.
// May import: core/console/language, core/console/pages/access/audit, core/console/pages/access/charts,
// core/console/pages/access/groups, core/console/pages/access/integrations, core/console/pages/access/people,
// core/console/pages/access/signOn, core/console/pages/access/suborganizations, core/console/pages/access/tokens,
// core/console/pages/access/usage, core/console/parts, core/console/styles; lit.
export { AccessPage } from "./accessPage.ts";
