import type { Reference } from "./checked.ts";
import { parse } from "./parse.ts";
import { partsOf, type Syntax } from "./syntax.ts";

/**
 * Lists the columns that a source text references, without repetitions, so that they can be looked up before compiling.
 * @throws {ExpressionError} if the text cannot be parsed
 */
export function listReferences(source: string): readonly Reference[] {
  const found = new Map<string, Reference>();
  const visit = (syntax: Syntax): void => {
    if (syntax.kind === "reference") {
      const { datasetId, columnId } = syntax;
      found.set(JSON.stringify([datasetId, columnId]), { datasetId, columnId });
    }
    for (const part of partsOf(syntax)) visit(part);
  };
  visit(parse(source));
  return [...found.values()];
}
