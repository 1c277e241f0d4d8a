// The model of a tenant as a folder of files: `manifold export` writes it, `manifold apply` makes it so, over the API alone.
// May import: core/client, core/errors, core/expressions, core/json, core/resources.
export { applyFolder } from "./applyFolder.ts";
export { exportFolder } from "./exportFolder.ts";
export { runTransfer, transferUsage } from "./runTransfer.ts";
