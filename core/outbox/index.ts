// What the store still has to do for changes of the catalog that are made, or were given up half way.
// May import: the contracts of core/catalog, core/connections and core/resources, plugins/protocol, knex.
export { addTask } from "./addTask.ts";
export { carryOutDue } from "./carryOutDue.ts";
export { openOutbox, type Outbox } from "./openOutbox.ts";
