import { element, viewWordsOf } from "../view/index.ts";
import { messageOf } from "./messageOf.ts";

/** Shows why a dashboard could not be loaded, in place of its items, with a button to try again. */
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
