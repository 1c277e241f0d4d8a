import type { TemplateResult } from "lit";
import { readItem, splitFields } from "../../../charts/index.ts";
import { textOf } from "../../language/index.ts";
import { formatChoice } from "../../questions/index.ts";
import type { BoardItem } from "./contents.ts";
import type { ChangeItem } from "./lookFields.ts";
import { withMember } from "./slotMembers.ts";
import { words } from "./words.ts";

/** Aggregations that count. Their numbers are always whole, whatever the format of the counted column. */
const counts = ["count", "distinctcount"];

/** Fields in which the reader chooses the formats of an item's numbers and dates by example. */
export function formatFields(
  item: BoardItem,
  onChange: ChangeItem,
  redraw: () => void,
): TemplateResult[] {
  const { id, type: itemType } = item;
  const { fields } = readItem(item);
  const { measures } = splitFields({ id, type: itemType, options: {}, fields });
  return fields.flatMap((field, at) => {
    const { subtype, label, level, bins, aggregation, calculation } = field;
    const isMeasure = measures.includes(field);
    const type = isMeasure ? "numeric" : field.type;
    const isCounted =
      (aggregation !== undefined && counts.includes(aggregation)) ||
      (isMeasure && aggregation === undefined && field.type === "hierarchy");
    if (type === "hierarchy" || bins !== undefined || isCounted || calculation !== undefined)
      return [];
    const { format = "", currency = "" } = field;
    return formatChoice({
      id: `item-format-${id}-${at}`,
      label: words.formatOf(textOf(label)),
      type,
      subtype,
      level,
      format,
      currency,
      onChange: (next, step) => {
        if (next.format === format && next.currency === currency) return redraw();
        const members = {
          format: next.format === "" ? undefined : next.format,
          currency: next.currency === "" ? undefined : next.currency,
        };
        onChange(withMember(item, at, members), step && `${step} ${at}`);
      },
    });
  });
}
