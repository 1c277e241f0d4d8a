import type { ChartItem, SlotField } from "../../charts/index.ts";

/** The next finer level for each datetime level: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute. */
const finer: Readonly<Record<number, number>> = { 1: 2, 2: 3, 3: 5, 4: 5, 5: 6, 6: 7 };
const day = 5;

/** One step down: the period that the reader drilled into. */
interface Step {
  readonly level: number;
  readonly where: readonly object[];
  readonly label: string;
}

/** How far the reader has drilled down in the items of a dashboard. */
export interface Drills {
  /** Returns the item at the level to which the reader drilled. */
  itemOf(item: ChartItem): ChartItem;
  whereFor(itemId: string): readonly object[];
  /** Returns the level below the one that an item shows; undefined at the finest level. */
  levelBelow(item: ChartItem): number | undefined;
  down(itemId: string, step: Step): void;
  /** Goes up one level. Returns false if the item is at its original level. */
  up(itemId: string): boolean;
  /** Returns the periods that the reader drilled into, by item. */
  entries(): readonly (readonly [itemId: string, label: string])[];
  clear(): void;
}

/** Keeps the datetime levels to which readers drill down: from years to quarters, months, days and hours. */
export function createDrills(): Drills {
  const steps = new Map<string, readonly Step[]>();
  return {
    itemOf(item) {
      const level = steps.get(item.id)?.at(-1)?.level;
      const drilled = drilledField(item);
      if (level === undefined || !drilled) return item;
      return {
        ...item,
        fields: item.fields.map((field) => (field === drilled ? { ...field, level } : field)),
      };
    },
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
    entries: () =>
      [...steps].map(
        ([itemId, all]) => [itemId, all.map(({ label }) => label).join(" › ")] as const,
      ),
    clear: () => steps.clear(),
  };
}

/** Returns the first datetime by which an item groups, if its level can be refined. */
function drilledField({ fields }: ChartItem): SlotField | undefined {
  return fields.find(
    ({ type, level, aggregation }) =>
      type === "datetime" && level !== undefined && aggregation === undefined,
  );
}
