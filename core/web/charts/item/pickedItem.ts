import type { ChartItem, Picker, SlotField } from "./item.ts";

/** What a reader chose in the pickers of an item: keys of columns by the name of their slot. */
export type Picks = Readonly<Record<string, string>>;

/** Returns the key of a column or formula that a picker offers. It stays the same when other choices are added. */
export function pickKeyOf(field: SlotField): string {
  const { datasetId, columnId, formulaId, formula, aggregation, level } = field;
  const parts = [datasetId, columnId ?? formulaId ?? formula, aggregation, level];
  return JSON.stringify(parts.map((part) => part ?? null));
}

/** Returns the choice of a picker with a key; undefined if the picker does not offer it. */
export function choiceOf({ choices }: Picker, key: string | undefined): SlotField | undefined {
  return choices.find((choice) => pickKeyOf(choice) === key);
}

/** Returns the first slot for which a reader chose what the item does not offer; undefined if all choices fit. */
export function unknownPick({ pickers = [] }: ChartItem, picks: Picks): string | undefined {
  return Object.keys(picks).find((slot) => {
    const picker = pickers.find((each) => each.slot === slot);
    return picker === undefined || choiceOf(picker, picks[slot]) === undefined;
  });
}

/**
 * Returns an item whose slots contain what a reader chose, in place of their stored content. Choices that the item does
 * not offer have no effect.
 */
export function pickedItem(item: ChartItem, picks: Picks): ChartItem {
  return (item.pickers ?? []).reduce((picked: ChartItem, picker): ChartItem => {
    const choice = choiceOf(picker, picks[picker.slot]);
    if (!choice) return picked;
    const { fields } = picked;
    const first = fields.findIndex(({ slot }) => slot === picker.slot);
    const others = fields.filter(({ slot }) => slot !== picker.slot);
    return { ...picked, fields: others.toSpliced(first === -1 ? others.length : first, 0, choice) };
  }, item);
}
