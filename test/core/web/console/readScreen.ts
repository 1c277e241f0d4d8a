import type { Page } from "playwright-core";

/** Returns the visible lines of a page, and the names and values of its visible controls. */
export const readScreen = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const visible = [...document.querySelectorAll<HTMLElement>("body *")].filter((each) =>
      each.checkVisibility(),
    );
    const named = visible.flatMap((each) => [
      each.getAttribute("aria-label") ?? "",
      each.getAttribute("placeholder") ?? "",
      each.getAttribute("title") ?? "",
      each instanceof HTMLInputElement && each.type !== "radio" ? each.value : "",
    ]);
    return [...document.body.innerText.split("\n"), ...named].filter((text) => text !== "");
  });
