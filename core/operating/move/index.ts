// Moves pushed datasets between the stores of a running host, one by one.
// May import: core/base, core/catalog, core/operating/operator, core/sources; plugins/protocol; typebox.
export { createMoves, type Moves } from "./createMoves.ts";
export { moveUsage, runMoveCommand } from "./runMoveCommand.ts";
