// A model that asks our questions within the rights and the budget of who asks, and the MCP server.
// May import: core/access, core/audit, core/catalog, core/charts, core/config, core/connections, core/contracts,
// core/errors, core/expressions, core/json, core/queries; plugins/protocol; @modelcontextprotocol/server, knex.
export { createAssistant, type Assistant } from "./createAssistant.ts";
export type { Model } from "./model/model.ts";
export { openModel } from "./model/openModel.ts";
