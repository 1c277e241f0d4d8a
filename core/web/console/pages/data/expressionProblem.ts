import { nearestName } from "./nearestName.ts";
import { namesOf, outsideTexts, withIds, withNames, type NamedColumn } from "./expressionText.ts";
import { words } from "./words.ts";

/**
 * Returns what is wrong with the names in an expression, with the name that is probably meant; "" if all names are
 * known. `signatures` are those of the functions, such as `round(number, digits?)`.
 */
export function nameProblem(
  expression: string,
  columns: readonly NamedColumn[],
  signatures: readonly string[],
): string {
  const names = [...namesOf(columns).keys()];
  const functions = signatures.map((each) => each.slice(0, each.indexOf("(")));
  const problems: string[] = [];
  outsideTexts(expression, (part) => {
    for (const [, name = ""] of part.matchAll(/\{([^{}:]*)\}/g))
      if (!names.includes(name.trim()))
        problems.push(words.noColumn(name.trim(), nearestName(name.trim(), names)));
    const outside = part.replaceAll(/\{[^{}]*\}/g, "");
    for (const [, name = ""] of outside.matchAll(/([\p{L}_][\p{L}\p{N}_]*)\s*\(/gu))
      if (!functions.includes(name.toLowerCase()))
        problems.push(words.noFunction(name, nearestName(name, functions)));
    return part;
  });
  return problems[0] ?? "";
}

/**
 * Returns the host's message about a stored expression in terms of the expression that the reader typed: columns by
 * name, and the place by the text that stands there.
 */
export function problemInWords(
  message: string,
  typed: string,
  datasetId: string,
  columns: readonly NamedColumn[],
): string {
  const found = /line \d+, column (\d+): (.*)$/s.exec(message);
  const said = (found?.[2] ?? message).replace(
    "a reference like {dataset id:column id}",
    words.aColumn,
  );
  const named = withNames(said, datasetId, columns);
  if (!found) return named;
  const at = typedPlace(Number(found[1]) - 1, typed, datasetId, columns);
  const rest = typed.slice(at, at + 20).trim();
  return rest === "" ? words.atEnd(named) : words.atPlace(rest, named);
}

/** Returns the place in the typed expression that stands at a place of the stored one. */
function typedPlace(
  storedAt: number,
  typed: string,
  datasetId: string,
  columns: readonly NamedColumn[],
): number {
  for (let end = 0; end < typed.length; end++)
    if (withIds(typed.slice(0, end + 1), datasetId, columns).length > storedAt) return end;
  return typed.length;
}
