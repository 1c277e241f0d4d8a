import { isObject } from "../../base/index.ts";
import { binRange, type ControlValue, type DashboardState } from "../../web/charts/index.ts";

/** The largest distance of a day from the instant at which it starts or ends in any time zone. */
const mostShiftMs = 2 * 86_400_000;

/**
 * Returns the choices of a state that the filters of a query contain. Messages show these filters to their recipients,
 * so a link with these choices reveals nothing else. Relative periods and chosen columns contain no data and stay.
 */
export function shownState(state: DashboardState, query: unknown): DashboardState {
  const { where, having } = isObject(query) ? query : {};
  const isShown = shownBy(valuesIn([where, having]));
  const { filters, selections, drills, picks, parameters } = state;
  const shown = {
    filters: kept(filters, (value) => isShownValue(value, isShown)),
    selections: kept(selections, (keys) => keys.flat().every(isShown)),
    drills: kept(drills, (steps) => steps.every(({ key }) => key.every(isShown))),
    picks,
    parameters: kept(parameters, (value) => [value].flat().every(isShown)),
  };
  const entries = Object.entries(shown).filter(([, part]) => part !== undefined);
  return { version: 1, ...Object.fromEntries(entries) };
}

type IsShown = (cell: unknown) => boolean;

function kept<Value>(
  part: Readonly<Record<string, Value>> | undefined,
  isKept: (value: Value) => boolean,
): Readonly<Record<string, Value>> | undefined {
  const entries = Object.entries(part ?? {}).filter(([, value]) => isKept(value));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function isShownValue(value: ControlValue, isShown: IsShown): boolean {
  if ("values" in value) return value.values.every(isShown);
  if ("text" in value) return isShown(value.text.trim());
  if (!("range" in value)) return [value.from, value.to].every((end) => isShown(end ?? null));
  const { range } = value;
  if (range.key !== "custom") return true;
  const { from, to } = range.customRange;
  return [from, to].every((end) => end === "" || isShown(end));
}

/** Returns whether a cell is among values, as itself, as a bin between two of them or as a day next to an instant. */
function shownBy(values: ReadonlySet<unknown>): IsShown {
  const instants = [...values].flatMap((value) => (isMoment(value) ? [Date.parse(value)] : []));
  return (cell) => {
    if (cell === null || typeof cell === "boolean" || values.has(cell)) return true;
    if (isMoment(cell)) {
      const at = Date.parse(cell);
      return instants.some((each) => Math.abs(each - at) <= mostShiftMs);
    }
    const bin = typeof cell === "string" ? binRange(cell) : undefined;
    return bin?.every((end) => values.has(end)) ?? false;
  };
}

const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value));

/** Lists the strings and numbers in a part of a query. */
function valuesIn(part: unknown, found = new Set<unknown>()): ReadonlySet<unknown> {
  if (Array.isArray(part)) for (const each of part) valuesIn(each, found);
  else if (isObject(part)) for (const each of Object.values(part)) valuesIn(each, found);
  else found.add(part);
  return found;
}
