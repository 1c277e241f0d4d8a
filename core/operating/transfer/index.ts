// The model of an organization as files, which `manifold export` writes and `manifold apply` applies over the API.
// May import: core/base, core/http, core/queries, core/resources, core/web/client; plugins/protocol; typebox.
export { applyFolder } from "./applyFolder.ts";
export { exportFolder } from "./exportFolder.ts";
export { pullFolder } from "./pullFolder.ts";
export { runPull, runTransfer, transferUsage } from "./runTransfer.ts";
