// The model of an organization as files: `manifold export` writes them, `manifold apply` applies them, over the API.
// May import: core/base, core/queries, core/resources, core/web/client.
export { applyFolder } from "./applyFolder.ts";
export { exportFolder } from "./exportFolder.ts";
export { runTransfer, transferUsage } from "./runTransfer.ts";
