// What the store still has to do for changes of the catalog that are made, or were given up half way.
// May import: core/catalog, core/contracts, core/errors; plugins/protocol; knex, p-queue.
export { addTask } from "./addTask.ts";
export { carryOutDue } from "./carryOutDue.ts";
export { openOutbox, type Outbox } from "./openOutbox.ts";
