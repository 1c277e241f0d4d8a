/** The lengths in pixels of the dashes of a line, and of the gaps between them. */
export type Dash = readonly [dash: number, gap: number];

/** Dashes by their name in options of grids, and by their notation in options of guidelines. */
export const dashes: ReadonlyMap<unknown, Dash> = new Map<unknown, Dash>([
  ["dotted", [1, 2]],
  ["dashed", [3, 3]],
  ["1,2", [1, 2]],
  ["3,3", [3, 3]],
]);
