import type { BoardPlan } from "./planBoard.ts";

/** Returns the contents of a dashboard with the items and filters of a plan. Smaller screens show the same items. */
export function storedContents({ items, filters }: BoardPlan): object {
  const ids = new Map(items.map(({ id }) => [id, crypto.randomUUID()]));
  const filterGroups = filters.map(({ itemId, expression, parameters }) => {
    const origin = "itemFilter";
    const ofItem = { origin, itemId: ids.get(itemId) };
    return {
      id: crypto.randomUUID(),
      condition: "and",
      ...ofItem,
      filters: [{ expression, parameters, properties: { type: "where", ...ofItem } }],
    };
  });
  const views = [
    {
      screenModus: "desktop",
      options: { columns: 48, rowHeight: 16 },
      items: items.map((item) => ({ ...item, id: ids.get(item.id) })),
      filterGroups,
    },
  ];
  return { version: "0.1.99", parameters: [], views };
}
