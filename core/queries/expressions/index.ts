// The language of derived columns and formulas: source text in, checked expression of the protocol out.
// May import: core/base, core/queries/roles; plugins/conformance, plugins/meanings, plugins/protocol.
export type { FormulaAggregate } from "./aggregates.ts";
export type { Reference, ResolvedColumn } from "./checked.ts";
export { compileExpression, type CompiledExpression } from "./compileExpression.ts";
export { applyFunction } from "../../../plugins/meanings/index.ts";
export { ExpressionError } from "./expressionError.ts";
export { listReferences } from "./listReferences.ts";
export { listSignatures } from "./listSignatures.ts";
