// Moves pushed datasets between the stores of a host, one by one, while it answers.
// May import: core/config, core/connections, core/contracts, core/errors, core/operator, core/outbox; plugins/protocol;
// typebox.
export { createMoves, type Moves } from "./createMoves.ts";
export { moveUsage, runMoveCommand } from "./runMoveCommand.ts";
