import {
  kindOfItem,
  pickKeyOf,
  readColumns,
  wordsOf,
  type ChartItem,
  type Picker,
  type SlotField,
} from "../../charts/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import type { PickersOptions } from "./pickersOptions.ts";

/** Fills the bar of an item with a menu for each slot whose content readers can change. */
export function fillPickers(
  root: HTMLElement,
  item: ChartItem,
  { picks, region, onPick }: Pick<PickersOptions, "picks" | "region" | "onPick">,
): void {
  const { localeId, timezoneId } = region();
  const words = viewWordsOf(localeId);
  const nameOf = (fields: readonly SlotField[]) =>
    readColumns({ fields, localeId, timezoneId })
      .map(({ name }) => name)
      .join(wordsOf(localeId).comma);

  function createMenu({ slot, choices }: Picker): HTMLElement {
    const stored = item.fields.filter((field) => field.slot === slot);
    const [first] = stored;
    const storedKey = stored.length === 1 && first ? pickKeyOf(first) : "";
    const isOffered = choices.some((choice) => pickKeyOf(choice) === storedKey);
    const chosen = picks()[slot] ?? (isOffered ? storedKey : "");
    const select = element("select", {});
    const options = choices.map((choice) => ({ key: pickKeyOf(choice), name: nameOf([choice]) }));
    if (!isOffered) options.unshift({ key: "", name: nameOf(stored) || "–" });
    for (const { key, name } of options) {
      const option = element("option", { value: key }, name);
      option.selected = key === chosen;
      select.append(option);
    }
    select.addEventListener("change", () => onPick(slot, select.value));
    const measures: readonly string[] = kindOfItem(item.type)?.measures ?? [];
    const isMeasure = measures.includes(slot);
    return element(
      "label",
      {},
      element("span", {}, isMeasure ? words.measure : words.groupBy),
      select,
    );
  }

  const active = [...root.querySelectorAll("select")].findIndex((each) => each.matches(":focus"));
  root.replaceChildren(...(item.pickers ?? []).map(createMenu));
  root.querySelectorAll("select")[active]?.focus();
}
