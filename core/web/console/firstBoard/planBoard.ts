import type { BoardProfile } from "./boardProfile.ts";
import { createPlanner, type ItemFilter } from "./createPlanner.ts";
import { placeBlocks, type PlacedItem } from "./placeBlocks.ts";
import { rankColumns } from "./rankColumns.ts";

/** The items of a board with their positions, and the filters that leave out an unfinished period. */
export interface BoardPlan {
  readonly items: readonly PlacedItem[];
  readonly filters: readonly ItemFilter[];
}

/** Maximum number of charts, without the controls. */
const mostCharts = 7;
/**
 * Plans a dashboard of at most seven charts for a dataset, without asking anyone: numbers, a trend, rankings, a map or
 * a heat map, a distribution, and a table. Items have the ids "1", "2", …. A dataset without rows has no items.
 */
export function planBoard(profile: BoardProfile): BoardPlan {
  if (profile.rows === 0) return { items: [], filters: [] };
  const planner = createPlanner(profile, rankColumns(profile));
  const [number, rowCount, ...numbers] = planner.numbers();
  const [ranking, ...rankings] = planner.rankings();
  const distributions = planner.distributions();
  const wanted = [
    number,
    rowCount,
    ...planner.trend(),
    ranking,
    ...planner.map(),
    ...planner.combination(),
    ...(profile.trend ? [...rankings, ...distributions] : [...distributions, ...rankings]),
    ...numbers,
  ].filter((item) => item !== undefined);
  const kept = wanted.slice(0, mostCharts - 1);
  const table = planner.table(kept);
  const controls = kept.some(({ block }) => block === "chart") ? planner.controls() : [];
  const items = [...controls, ...kept, ...table].map((item, index) => ({
    ...item,
    id: String(index + 1),
  }));
  return {
    items: placeBlocks(items),
    filters: items.flatMap(({ id, isWithoutEnd }) => (isWithoutEnd ? planner.endFilter(id) : [])),
  };
}
