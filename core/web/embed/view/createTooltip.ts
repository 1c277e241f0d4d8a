import type { Scene } from "../../charts/index.ts";
import { element, place } from "./element.ts";
import { siblingsOf, type PlacedMark } from "./travelMarks.ts";

/** Maximum number of lines in a tooltip. */
const mostLines = 12;

/** The tooltip of a picture; hidden until `show` is called. */
export interface Tooltip {
  readonly root: HTMLElement;
  /**
   * Shows the values of a mark, with the other series of its category, next to a point of the picture. `note` is a text
   * above them.
   */
  show(
    active: PlacedMark,
    marks: readonly PlacedMark[],
    scene: Scene,
    at: { readonly x: number; readonly y: number },
    note: string,
  ): void;
  hide(): void;
}

/** Returns the values of a mark as one line for screen readers. */
export function sayMark({ mark: { category, series, value } }: PlacedMark): string {
  return [category, series, value].filter((part) => part !== "").join(", ");
}

/** Creates the tooltip of a picture. Screen readers announce the mark through the view's live region instead. */
export function createTooltip(): Tooltip {
  const root = element("div", { class: "mf-tip", part: "tooltip", "aria-hidden": "true" });
  root.hidden = true;
  return {
    root,
    show(active, marks, scene, at, note) {
      const siblings = siblingsOf(marks, active);
      const around = Math.max(0, siblings.indexOf(active) - mostLines + 1);
      const lines = siblings.slice(around, around + mostLines);
      const rest = siblings.length - lines.length;
      const { category, whole } = active.mark;
      root.replaceChildren(
        ...(note === "" ? [] : [element("div", { class: "mf-tip-note" }, note)]),
        ...(category === "" ? [] : [element("div", { class: "mf-tip-title" }, category)]),
        ...lines.map((each) => lineOf(each, scene, lines.length > 1 && each === active)),
        ...(rest > 0 ? [element("div", {}, `+ ${rest}`)] : []),
        ...(whole && siblings.length > 1 ? [totalOf(whole)] : []),
      );
      root.hidden = false;
      const { offsetWidth: width, offsetHeight: height } = root;
      const isRight = at.x + 14 + width <= scene.width;
      place(root, {
        left: Math.max(0, isRight ? at.x + 14 : at.x - 14 - width),
        top: Math.max(0, Math.min(at.y - height / 2, scene.height - height - 4)),
      });
    },
    hide() {
      root.hidden = true;
    },
  };
}

/** Returns the line with the total of a stack. */
function totalOf({ name, value }: { readonly name: string; readonly value: string }): HTMLElement {
  return element(
    "div",
    { class: "mf-tip-row" },
    element("span", { class: "mf-swatch" }),
    element("span", {}, name),
    element("span", {}, value),
  );
}

function lineOf({ mark, node }: PlacedMark, { nodes }: Scene, isActive: boolean): HTMLElement {
  const { fill } = nodes[node] ?? {};
  const swatch = element("span", { class: "mf-swatch" });
  if (fill !== undefined && nodes[node]?.kind !== "text")
    swatch.style.setProperty("background", fill);
  return element(
    "div",
    { class: isActive ? "mf-tip-row mf-active" : "mf-tip-row" },
    swatch,
    element("span", {}, mark.series),
    element("span", {}, mark.value),
  );
}
