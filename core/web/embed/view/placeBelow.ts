const margin = 8;

/** Positions a menu or panel below its button, or above it if there is no room. It never leaves the window. */
export function placeBelow(menu: HTMLElement, button: HTMLElement): void {
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const x = left + width <= innerWidth - margin ? left : right - width;
  const isBelow = bottom + 4 + height <= innerHeight || top < height + 4;
  const y = isBelow ? Math.min(bottom + 4, innerHeight - height - margin) : top - height - 4;
  menu.style.setProperty("left", `${Math.max(margin, x)}px`);
  menu.style.setProperty("top", `${Math.max(margin, y)}px`);
}
