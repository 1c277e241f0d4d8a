interface UndrawnRow {
  /** English name in messages. */
  readonly title: string;
  readonly slots: readonly string[];
}

/**
 * The other item types of package `@luzmo/dashboard-contents-types` 1.0.31, with their slots. Dashboards may contain
 * them, but this version has no pictures for them: it shows their data as a table.
 */
export const undrawnTypes = {
  "ai-summary": { title: "AI summary", slots: [] },
  "dynamic-imageobject": { title: "Image from data", slots: ["image"] },
} as const satisfies Readonly<Record<string, UndrawnRow>>;

/** An item type that dashboards may contain and that charts show as a table. */
export type UndrawnType = keyof typeof undrawnTypes;

/** Returns whether an item type is known and has no picture. */
export function isUndrawnType(type: string): type is UndrawnType {
  return Object.hasOwn(undrawnTypes, type);
}
