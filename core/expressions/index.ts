// The language of derived columns and formulas: source text in, checked portable tree out.
// May import: plugins/protocol.
export type { Reference, ResolvedColumn } from "./checked.ts";
export { compileExpression, type CompiledExpression } from "./compileExpression.ts";
export { evaluate } from "./evaluate.ts";
export { ExpressionError } from "./expressionError.ts";
export type { PortableAggregate, PortableExpression, Value, ValueType } from "./portable.ts";
export { listReferences } from "./listReferences.ts";
