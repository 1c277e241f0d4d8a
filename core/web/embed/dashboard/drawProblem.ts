import { element, viewWordsOf } from "../view/index.ts";
import { messageOf } from "./messageOf.ts";

/** Shows, in place of all items, why a dashboard is not there, with a button that tries again. */
export function drawProblem(
  cells: HTMLElement,
  failure: unknown,
  localeId: string,
  onRetry: () => void,
): void {
  const words = viewWordsOf(localeId);
  const retry = element("button", { type: "button", class: "mf-chip" }, words.retry);
  retry.addEventListener("click", () => {
    cells.replaceChildren();
    onRetry();
  });
  cells.replaceChildren(
    element(
      "div",
      { class: "mf-problem", part: "error", role: "alert" },
      element("strong", {}, words.noDashboard),
      element("div", {}, messageOf(failure, localeId).slice(0, 300)),
      retry,
    ),
  );
}
