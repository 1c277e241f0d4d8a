import type { BoardItem } from "./contents.ts";

/** Returns an item with members of the column or formula at an index, counted over all slots. Undefined removes one. */
export function withMember(
  item: BoardItem,
  at: number,
  members: Readonly<Record<string, unknown>>,
): BoardItem {
  let index = 0;
  const slots = (item.slots ?? []).map((slot) => ({
    ...slot,
    content: (slot.content ?? []).map((each) => (index++ === at ? merged(each, members) : each)),
  }));
  return { ...item, slots };
}

function merged(
  content: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries({ ...content, ...members }).filter(
      ([name, value]) => value !== undefined || !Object.hasOwn(members, name),
    ),
  );
}
