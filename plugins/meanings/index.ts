// The reference meaning of every function of the protocol, slow and readable.
// May import: plugins/protocol.
export { isDatePattern } from "./datetimeMeanings.ts";
export { applyFunction, evaluate } from "./evaluate.ts";
export { compareValues } from "./meaning.ts";
export { longestText } from "./textMeanings.ts";
export type { Value } from "./value.ts";
export { trim } from "./whiteSpace.ts";
