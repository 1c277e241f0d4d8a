import { ExpressionError } from "./expressionError.ts";
import { limits } from "./limits.ts";
import { partsOf, type Syntax } from "./syntax.ts";

/** Keeps a growing tree within `limits`. */
export interface Bounds {
  /**
   * Counts a node whose children are already counted. @throws {ExpressionError} EXPRESSION_TOO_DEEP,
   * EXPRESSION_TOO_LARGE
   */
  readonly build: <Node extends Syntax>(node: Node) => Node;
  /**
   * Calls `read` one level deeper, for syntax that may contain itself. @throws {ExpressionError} EXPRESSION_TOO_DEEP
   */
  readonly nested: <Result>(at: number, read: () => Result) => Result;
}

/** Creates the bounds for one source text. */
export function createBounds(source: string): Bounds {
  const depths = new Map<Syntax, number>();
  let level = 0;
  const tooDeep = (at: number) =>
    new ExpressionError("EXPRESSION_TOO_DEEP", {
      source,
      at,
      expected: `at most ${limits.depth} levels of nested operations`,
      found: "one more",
    });
  return {
    build(node) {
      const depth = partsOf(node).reduce((most, part) => Math.max(most, depths.get(part) ?? 0), 0);
      if (depth >= limits.depth) throw tooDeep(node.at);
      if (depths.size >= limits.nodeCount)
        throw new ExpressionError("EXPRESSION_TOO_LARGE", {
          source,
          at: node.at,
          expected: `at most ${limits.nodeCount} values, references and operations`,
          found: "one more",
        });
      depths.set(node, depth + 1);
      return node;
    },
    nested(at, read) {
      if (level >= limits.depth) throw tooDeep(at);
      level += 1;
      const result = read();
      level -= 1;
      return result;
    },
  };
}
