// The assistant: a model that writes queries within the caller's rights and budget. Also contains the MCP server.
// May import: core/base, core/catalog, core/identity, core/queries, core/sources, core/web/charts; plugins/protocol;
// @modelcontextprotocol/server, knex.
export { createAssistant, type Assistant } from "./createAssistant.ts";
export type { Model } from "./model/model.ts";
export { openModel } from "./model/openModel.ts";
