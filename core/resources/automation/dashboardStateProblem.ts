import { mostLinkCharacters, readWholeState, stateQuery } from "../../web/charts/index.ts";

/** Maximum number of parts that a problem names. */
const mostNamed = 3;

/**
 * Returns words that complete "must …" if a value is not the state of a dashboard, or is too long for a link in a
 * message; otherwise undefined.
 */
export function dashboardStateProblem(value: unknown): string | undefined {
  const { state, ignored } = readWholeState(value);
  if (!state)
    return "be the state of a dashboard, as the component returns it, such as {version: 1, filters: {}}";
  if (ignored.length > 0) {
    const named = ignored.slice(0, mostNamed).join(", ");
    const rest = ignored.length > mostNamed ? ` and ${ignored.length - mostNamed} more` : "";
    return `have only parts of a dashboard's state, as the component returns it; ${named}${rest} cannot be read`;
  }
  const { length } = stateQuery(state);
  return length <= mostLinkCharacters
    ? undefined
    : `fit in a link of ${mostLinkCharacters} characters, not ${length}; remove choices, or omit the member`;
}
