import { ExpressionError } from "../../../../core/queries/expressions/index.ts";

/** Returns the ExpressionError that a function throws. Any other result, including success, fails the test. */
export function refusedExpression(run: () => unknown): ExpressionError {
  let result: unknown;
  try {
    result = run();
  } catch (thrown) {
    if (thrown instanceof ExpressionError) return thrown;
    throw thrown;
  }
  throw new Error(`not refused: ${JSON.stringify(result)}`);
}
