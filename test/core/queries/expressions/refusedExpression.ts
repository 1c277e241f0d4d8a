import { ExpressionError } from "../../../../core/queries/expressions/index.ts";

/** The error with which the language refuses; anything else, success too, fails the test. */
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
