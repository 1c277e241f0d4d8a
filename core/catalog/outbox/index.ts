// Work that the store owes to changes of the catalog, committed or given up half way.
// May import: core/base, core/catalog/log, core/catalog/openPresence; plugins/protocol; knex, p-queue.
export { addTask, type PushedRequest, type TaskOfPush } from "./addTask.ts";
export { carryOutDue } from "./carryOutDue.ts";
export { openOutbox, type Outbox } from "./openOutbox.ts";
