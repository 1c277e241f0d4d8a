import type { ChartItem, SlotField } from "../../charts/index.ts";

/** The level that is next below each datetime level: 1 year, 2 quarter, 3 month, 4 week, 5 day, 6 hour, 7 minute. */
const finer: Readonly<Record<number, number>> = { 1: 2, 2: 3, 3: 5, 4: 5, 5: 6, 6: 7 };
const day = 5;

/** A step down: the period that the reader entered. */
interface Step {
  readonly level: number;
  readonly where: readonly object[];
  readonly label: string;
}

/** How far the reader went down in the items of a dashboard. */
export interface Drills {
  /** Returns an item at the level that the reader went to. */
  itemOf(item: ChartItem): ChartItem;
  whereFor(itemId: string): readonly object[];
  /** Returns the level below the one that an item shows; undefined where there is none. */
  levelBelow(item: ChartItem): number | undefined;
  down(itemId: string, step: Step): void;
  /** Goes one level up. Returns whether there was one. */
  up(itemId: string): boolean;
  /** The periods that the reader entered, by item. */
  entries(): readonly (readonly [itemId: string, label: string])[];
  clear(): void;
}

/** Keeps the levels of datetimes to which readers go down: from a year to its quarters, months, days and hours. */
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

/** The first datetime by which an item groups, of a level that can be finer. */
function drilledField({ fields }: ChartItem): SlotField | undefined {
  return fields.find(
    ({ type, level, aggregation }) =>
      type === "datetime" && level !== undefined && aggregation === undefined,
  );
}
