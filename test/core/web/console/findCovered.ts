import type { Page } from "playwright-core";

/**
 * Returns the controls of a page that something else covers: scrolled to the middle of the window, the element at the
 * centre of the control is not the control. Controls without a size, disabled ones, and the link that appears only when
 * it has the focus do not count.
 */
export async function findCovered(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const selector = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    const roots: (Document | ShadowRoot)[] = [document];
    const controls: Element[] = [];
    for (const root of roots) {
      controls.push(...root.querySelectorAll(selector));
      for (const each of root.querySelectorAll("*"))
        if (each.shadowRoot) roots.push(each.shadowRoot);
    }
    const isShown = (control: Element) =>
      control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      getComputedStyle(control).pointerEvents !== "none" &&
      !control.closest("[inert]") &&
      !control.matches(":disabled, .skip, .visually-hidden, [type='file']");
    return controls.filter(isShown).flatMap((control) => {
      control.scrollIntoView({ block: "center", inline: "center" });
      const { x, y, width, height } = control.getBoundingClientRect();
      if (width < 2 || height < 2) return [];
      const [centerX, centerY] = [x + width / 2, y + height / 2];
      const root = control.getRootNode() as Document | ShadowRoot;
      const top = root.elementFromPoint(centerX, centerY);
      const label = control.closest("label");
      const isReached =
        top !== null && (control.contains(top) || top.contains(control) || label?.contains(top));
      if (isReached) return [];
      const written = control.cloneNode(false) as Element;
      const by = top ? (top.cloneNode(false) as Element).outerHTML : "nothing";
      return [`${written.outerHTML} is covered by ${by}`];
    });
  });
}
