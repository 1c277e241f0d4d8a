import { html, type TemplateResult } from "lit";
import { isItemType } from "../../../charts/index.ts";
import { selectField, textField } from "../../parts/index.ts";
import type { BoardItem } from "./contents.ts";
import type { ChangeItem } from "./lookFields.ts";
import { formAt, valueAt, withValueAt } from "./optionPath.ts";
import { lookWords as words } from "./lookWords.ts";

const orders = ["measure desc", "measure asc", "category asc", "category desc"] as const;

/** Fields for the order of the groups of a chart, and for how many of them it shows. */
export function orderFields(item: BoardItem, onChange: ChangeItem): TemplateResult {
  const { type } = item;
  const hasOrder = isItemType(type) && formAt(type, "sort.by") !== undefined;
  const hasLimit = isItemType(type) && formAt(type, "limit.number") !== undefined;
  const by = valueAt(item, "sort.by");
  const direction = valueAt(item, "sort.direction") === "asc" ? "asc" : "desc";
  const order = orders.find((each) => each === `${String(by)} ${direction}`);
  const limit = valueAt(item, "limit.number");
  return html`<div class="item-order">
    ${
      hasOrder
        ? selectField({
            id: "item-order",
            label: words.order,
            value: order ?? "",
            choices: [
              { value: "", label: words.automatic },
              ...orders.map((value) => ({ value, label: words.orders[value] })),
            ],
            onSelect: (chosen) => {
              const [chosenBy, chosenDirection] = chosen === "" ? [] : chosen.split(" ");
              const sorted = withValueAt(item, "sort.by", chosenBy);
              onChange(withValueAt(sorted, "sort.direction", chosenDirection));
            },
          })
        : ""
    }
    ${
      hasLimit
        ? textField({
            id: "item-limit",
            label: words.limit,
            type: "number",
            placeholder: words.all,
            value: typeof limit === "number" ? String(limit) : "",
            onInput: (text) => {
              const next = Number(text);
              if (text.trim() === "")
                onChange(withValueAt(item, "limit.number", undefined), "limit");
              else if (Number.isInteger(next) && next > 0)
                onChange(withValueAt(item, "limit.number", next), "limit");
            },
          })
        : ""
    }
  </div>`;
}
