// The Node.js that the command brings when it is started with an older one: where it is, how it is installed and run.
// May import: nothing.
export { needsOwnNode } from "./needsOwnNode.ts";
export { runOnOwnNode } from "./runOnOwnNode.ts";
