// A model that asks our questions: descriptions of datasets, within the rights and the budget of who asks.
// May import: core/access, core/audit, core/catalog, core/config, core/connections, core/contracts, core/errors,
// core/json, core/queries; plugins/protocol; knex.
export { createAssistant, type AssistantHandlers } from "./createAssistant.ts";
export type { Model } from "./model/model.ts";
export { openModel } from "./model/openModel.ts";
