// The reach of an embed token: the records of each resource, and the ids among which to look for them.
// May import: core/base, core/catalog, core/resources/kernel, core/resources/rights/allow; knex.
export { candidates } from "./candidates.ts";
export type { Bounded, RuleOf } from "./reach.ts";
export { reachesByResource } from "./reachesByResource.ts";
