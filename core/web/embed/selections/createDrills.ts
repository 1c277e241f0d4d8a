import { atLevel, drilledField, type ChartItem } from "../../charts/index.ts";

/** The next finer level for each datetime level: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute. */
const finer: Readonly<Record<number, number>> = { 1: 2, 2: 3, 3: 5, 4: 5, 5: 6, 6: 7 };
const day = 5;

/** One step down: the period that the reader drilled into. */
interface Step {
  readonly level: number;
  readonly where: readonly object[];
  readonly label: string;
  /** The key of the period, from which the step can be repeated. */
  readonly key: string;
}

/** How far the reader has drilled down in the items of a dashboard. */
export interface Drills {
  /** Returns the item at the level to which the reader drilled. */
  itemOf(item: ChartItem): ChartItem;
  whereFor(itemId: string): readonly object[];
  /** Returns the level to which the reader drilled; undefined for an item at its original level. */
  levelFor(itemId: string): number | undefined;
  /** Returns the level below the one that an item shows; undefined at the finest level. */
  levelBelow(item: ChartItem): number | undefined;
  down(itemId: string, step: Step): void;
  /** Goes up one level. Returns false if the item is at its original level. */
  up(itemId: string): boolean;
  /** Returns the steps of all items in which the reader drilled down, the first step first. */
  steps(): readonly (readonly [itemId: string, steps: readonly Step[]])[];
  /** Returns the periods that the reader drilled into, by item. */
  entries(): readonly (readonly [itemId: string, label: string])[];
  clear(): void;
}

/** Keeps the datetime levels to which readers drill down: from years to quarters, months, days and hours. */
export function createDrills(): Drills {
  const steps = new Map<string, readonly Step[]>();
  return {
    itemOf: (item) => atLevel(item, steps.get(item.id)?.at(-1)?.level),
    levelFor: (itemId) => steps.get(itemId)?.at(-1)?.level,
    whereFor: (itemId) => (steps.get(itemId) ?? []).flatMap(({ where }) => where),
    levelBelow(item) {
      const field = drilledField(item);
      const level = finer[field?.level ?? 0];
      const finest = field?.lowestLevel ?? (field?.subtype === "date" ? day : Infinity);
      return level === undefined || level > finest ? undefined : level;
    },
    down(itemId, step) {
      steps.set(itemId, [...(steps.get(itemId) ?? []), step]);
    },
    up(itemId) {
      const rest = steps.get(itemId)?.slice(0, -1);
      if (!rest) return false;
      if (rest.length > 0) steps.set(itemId, rest);
      else steps.delete(itemId);
      return true;
    },
    steps: () => [...steps],
    entries: () =>
      [...steps].map(
        ([itemId, all]) => [itemId, all.map(({ label }) => label).join(" › ")] as const,
      ),
    clear: () => steps.clear(),
  };
}
