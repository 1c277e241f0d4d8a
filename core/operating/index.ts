// Commands for operators and for authors of plugins: backup, move, transfer, checks and secrets.
// May import: core/base, core/catalog, core/http.

export { gateStores } from "./backup/index.ts";
export { createMoves } from "./move/index.ts";
export { requestHost, openOperatorDoor } from "./operator/index.ts";
export { operatorRequests } from "./operatorRequests.ts";
export { checkSecrets, isRotating, readMarkKeys } from "./secrets/index.ts";
