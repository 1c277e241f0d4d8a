import { objectOf, retryImport, localizedText, type ControlValue } from "../../charts/index.ts";
import { element, viewWordsOf } from "../view/index.ts";
import type { ControlFrame } from "./controlFrame.ts";
import { comparisonText } from "./comparisonText.ts";
import { controlWordsOf } from "./words/controlWordsOf.ts";
import { createPanelButton } from "./createPanelButton.ts";
import { offeredRanges } from "./offeredRanges.ts";
import { rangeText } from "./rangeText.ts";

const loadPanel = retryImport(() => import("./fillDatePanel.ts"));

/** Draws a button that opens a panel with relative ranges and a calendar. */
export function drawDates(frame: ControlFrame): Node[] {
  const { picture, name } = frame;
  const { item, localeId, timezoneId } = picture;
  const { placeholder, baseSelector } = item.options;
  const words = controlWordsOf(localeId);
  const empty =
    localizedText(placeholder, localeId) ||
    localizedText(objectOf<"placeholder">(baseSelector).placeholder, localeId) ||
    words.allDates;
  const textOf = (value: ControlValue | undefined) => {
    if (value === undefined || !("range" in value)) return empty;
    const { range } = value;
    const offered = offeredRanges(item, localeId, timezoneId).find(
      (each) => JSON.stringify(each.range) === JSON.stringify(range),
    );
    const text = offered?.label ?? rangeText(range, localeId, timezoneId);
    return comparisonText(text, value, { localeId, timezoneId });
  };
  const button = createPanelButton({
    name,
    text: textOf(frame.value()),
    hasPopup: "dialog",
    async fill(panel) {
      const { fillDatePanel } = await loadPanel().catch((cause: unknown) => {
        throw new TypeError(viewWordsOf(localeId).noPicture, { cause });
      });
      return fillDatePanel(panel, {
        frame,
        onChange: () => button.setText(textOf(frame.value())),
        close: () => button.close(),
      });
    },
  });
  return [element("div", { class: "mf-pair" }, button.root)];
}
