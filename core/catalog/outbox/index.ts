// Work that the store still has to do for changes of the catalog, committed or abandoned.
// May import: core/base, core/catalog/log, core/catalog/openPresence; plugins/protocol; knex, p-queue.
export { addTask, type PushedRequest, type TaskOfPush } from "./addTask.ts";
export { carryOutDue } from "./carryOutDue.ts";
export { countPush } from "./countPush.ts";
export { openOutbox, type Outbox } from "./openOutbox.ts";
