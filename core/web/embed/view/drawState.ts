import { cleanText, wordsOf } from "../../charts/index.ts";
import { element } from "./element.ts";
import type { ItemPicture } from "./itemPicture.ts";
import { viewWordsOf } from "./viewWordsOf.ts";

/** Shows in an element that an item is loading, or why it failed and how to try again. */
export function drawState(
  stage: HTMLElement,
  { state, localeId }: ItemPicture,
  onRetry: (() => void) | undefined,
): void {
  const words = viewWordsOf(localeId);
  if (state.kind !== "failed") {
    const bones = Array.from({ length: 5 }, () => element("span"));
    stage.replaceChildren(
      element(
        "div",
        { class: "mf-bones", part: "loading", role: "img", "aria-label": words.loading },
        ...bones,
      ),
    );
    return;
  }
  const retry = element("button", { type: "button", class: "mf-button" }, words.retry);
  retry.addEventListener("click", () => onRetry?.());
  const { message, requestId } = state;
  stage.replaceChildren(
    element(
      "div",
      { class: "mf-state", part: "error", role: "status" },
      element("strong", {}, wordsOf(localeId).error),
      element("span", {}, cleanText(message)),
      ...(requestId === undefined
        ? []
        : [element("span", {}, `${words.request} `, element("code", {}, cleanText(requestId)))]),
      ...(onRetry ? [retry] : []),
    ),
  );
}
