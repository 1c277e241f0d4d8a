import { wordsOf } from "../../charts/index.ts";
import { element } from "../view/index.ts";
import { changeList, type ControlFrame } from "./controlFrame.ts";

/** Draws a menu in which the reader chooses a single value, or "all". */
export function drawChoice(frame: ControlFrame): Node[] {
  const { picture, column, name, draft } = frame;
  const { rows = [], localeId } = picture;
  const select = element(
    "select",
    { "aria-label": name },
    element("option", { value: "" }, wordsOf(localeId).all),
  );
  for (const [index, [cell = null]] of rows.entries()) {
    const option = element("option", { value: index + 1 }, column.text(cell));
    option.selected = draft.chosen.has(column.key(cell));
    select.append(option);
  }
  select.addEventListener("change", () => {
    const cell = rows[Number(select.value) - 1]?.[0] ?? null;
    draft.chosen.clear();
    if (select.value !== "") draft.chosen.set(column.key(cell), cell);
    changeList(frame);
  });
  return [element("div", { class: "mf-pair" }, select)];
}
