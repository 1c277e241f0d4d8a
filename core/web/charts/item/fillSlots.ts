import { itemTypes, type ItemType } from "./itemKinds.ts";

/** A slot of a stored item, with its columns and formulas. */
export interface FilledSlot<Content> {
  readonly name: string;
  readonly content: readonly Content[];
}

/**
 * Distributes dimensions and measures over the slots of an item type, in the order of its slots. The last slot takes
 * all remaining fields. If a type has no slots for measures, the measures go to the slots for dimensions, and vice
 * versa. Empty slots are omitted.
 */
export function fillSlots<Content>(
  type: ItemType,
  fields: { readonly dimensions: readonly Content[]; readonly measures: readonly Content[] },
): readonly FilledSlot<Content>[] {
  const names: { readonly dimensions: readonly string[]; readonly measures: readonly string[] } =
    itemTypes[type];
  const slots = new Map<string, Content[]>();
  const fill = (
    own: readonly string[],
    others: readonly string[],
    contents: readonly Content[],
  ) => {
    for (const [index, content] of contents.entries()) {
      const name = own[Math.min(index, own.length - 1)] ?? others.at(-1);
      if (name !== undefined) slots.set(name, [...(slots.get(name) ?? []), content]);
    }
  };
  fill(names.dimensions, names.measures, fields.dimensions);
  fill(names.measures, names.dimensions, fields.measures);
  return [...slots].map(([name, content]) => ({ name, content }));
}
