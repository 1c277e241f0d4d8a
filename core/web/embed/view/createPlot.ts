import {
  drawItem,
  interactivity,
  isReadAlongX,
  svgNamespace,
  type DrawKind,
  type Mark,
  type Scene,
} from "../../charts/index.ts";
import { drawScene } from "../drawScene.ts";
import { createBrush } from "./createBrush.ts";
import { createLegend } from "./createLegend.ts";
import { createTooltip, sayMark } from "./createTooltip.ts";
import { drawCrosshair, drawDot } from "./drawCrosshair.ts";
import { element } from "./element.ts";
import { fitTexts, fontOfPage } from "./fitTexts.ts";
import { findMark, middleOf, type Point } from "./findMark.ts";
import type { ItemPicture, ItemState } from "./itemPicture.ts";
import { paintScene } from "./paintScene.ts";
import { marksOf, travel, type PlacedMark } from "./travelMarks.ts";
import { viewWordsOf } from "./viewWordsOf.ts";

/** Pictures with at least this many nodes are painted on a canvas. */
const canvasNodes = 3_000;

/** A mark that the reader chose in a picture. */
export interface Choice {
  /** The chosen mark. Its `row` is the index of a row of the answer. */
  readonly mark: Mark;
  /** Whether the mark is added to the current choice instead of replacing it. */
  readonly isAdded: boolean;
  /** Where the reader pressed, in pixels from the corner of the window; absent for the keyboard. */
  readonly at?: Point;
}

/** Callbacks of a picture. */
export interface PlotOptions {
  /** Called with a mark after a double click on it or after the + key. Called without a mark after the - key. */
  readonly onDrill?: (mark: Mark | undefined) => void;
  /** Announces text to people who use a screen reader. */
  say(text: string): void;
  readonly onChoose?: (choice: Choice | undefined) => void;
  /** Called when the pointer enters the picture, so that the page can prepare for a brush. */
  readonly onHover?: () => void;
  /**
   * Called while the reader drags over the picture, once per frame, with the rows of the marks in the dragged range.
   * `isDone` is true at the end.
   * @default brushing is off
   */
  readonly onBrush?: (rows: readonly number[], isDone: boolean) => void;
}

/** A picture whose data and draw function have arrived. */
export interface DrawnPicture extends ItemPicture {
  readonly state: Extract<ItemState, { kind: "answer" }>;
  /** The draw function of the item's kind. */
  readonly drawKind: DrawKind;
}

/** The picture of an item in an element, with its tooltip, legend and keyboard navigation. */
export interface Plot {
  readonly root: HTMLElement;
  show(picture: DrawnPicture, size: { readonly width: number; readonly height: number }): void;
  hide(): void;
  /** Returns the ids of the series that the reader has hidden. */
  hiddenSeries(): readonly string[];
  close(): void;
}

/** Creates the picture of an item: its scene as SVG or on a canvas, with tooltip, legend and keyboard navigation. */
export function createPlot({ say, onChoose, onDrill, onHover, onBrush }: PlotOptions): Plot {
  const svg = document.createElementNS(svgNamespace, "svg");
  const canvas = element("canvas", { role: "img" });
  const overlay = document.createElementNS(svgNamespace, "svg");
  overlay.setAttribute("aria-hidden", "true");
  overlay.style.setProperty("pointer-events", "none");
  const tooltip = createTooltip();
  const legend = createLegend(() => {
    activate(undefined);
    draw();
  });
  const root = element(
    "div",
    { class: "mf-plot", part: "plot", role: "group" },
    overlay,
    legend.root,
  );
  root.append(tooltip.root);

  let shown: DrawnPicture | undefined;
  let size = { width: 0, height: 0 };
  let scene: Scene | undefined;
  let marks: readonly PlacedMark[] = [];
  let elements: readonly SVGElement[] = [];
  let active: PlacedMark | undefined;
  let isPinned = false;
  const nodes = new Map<SVGElement, number>();

  const isSnapped = () => shown !== undefined && isReadAlongX(shown.item.type);

  function draw(): void {
    if (!shown) return;
    const { state, item, localeId } = shown;
    const { kind: _, ...answered } = state;
    const hiddenSeries = legend.hidden();
    const request = { ...shown, ...size, ...answered, hiddenSeries, nowMs: Date.now() };
    scene = drawItem(request, shown.drawKind);
    marks = marksOf(scene);
    const isPainted = scene.nodes.length > canvasNodes;
    const picture = isPainted ? canvas : svg;
    (isPainted ? svg : canvas).remove();
    if (!picture.isConnected) root.prepend(picture);
    nodes.clear();
    elements = [];
    if (isPainted) {
      paintScene(scene, canvas, {
        pixelRatio: window.devicePixelRatio || 1,
        font: fontOfPage(root),
      });
      canvas.ariaLabel = `${scene.title}. ${scene.description}`;
    } else {
      elements = drawScene(scene, svg, { hasTitles: false });
      fitTexts(scene, elements, fontOfPage(root));
      svg.ariaLabel = `${scene.title}. ${scene.description}`;
      for (const { node } of marks) nodes.set(elements[node]!, node);
      for (const each of elements)
        if (each.hasAttribute("data-mark") !== nodes.has(each)) each.toggleAttribute("data-mark");
    }
    overlay.setAttribute("width", String(scene.width));
    overlay.setAttribute("height", String(scene.height));
    const isTravelled = marks.length > 0;
    if (isTravelled !== root.hasAttribute("tabindex"))
      if (isTravelled) root.tabIndex = 0;
      else root.removeAttribute("tabindex");
    root.ariaLabel = `${scene.title}${isTravelled ? `, ${viewWordsOf(localeId).chart}` : ""}`;
    root.classList.toggle("mf-selectable", onChoose !== undefined && isTravelled);
    root.dataset["type"] = item.type;
    markChosen();
    legend.show(scene.legend, localeId);
  }

  function markChosen(): void {
    const { chosenRows } = shown ?? {};
    const isChosen = chosenRows !== undefined && chosenRows.size > 0;
    svg.classList.toggle("mf-chosen", isChosen);
    for (const { node, mark } of marks)
      elements[node]?.classList.toggle(
        "mf-kept",
        isChosen && mark.row !== undefined && chosenRows.has(mark.row),
      );
  }

  function activate(next: PlacedMark | undefined, at?: Point): void {
    if (!next && !active) return;
    if (active) elements[active.node]?.classList.remove("mf-active");
    active = next;
    overlay.replaceChildren();
    svg.classList.toggle("mf-focused", next !== undefined && !isSnapped());
    if (!next || !scene) return tooltip.hide();
    elements[next.node]?.classList.add("mf-active");
    const node = scene.nodes[next.node];
    const box = node?.kind === "path" ? boundsOf(elements[next.node]) : undefined;
    const middle = middleOf(node, at ?? box ?? { x: scene.width / 2, y: scene.height / 2 });
    if (isSnapped()) overlay.append(...drawCrosshair(middle, scene, next.node));
    else if (elements.length === 0 && node && node.kind !== "path")
      overlay.append(
        drawDot(middle, node.kind === "circle" ? node.radius + 2 : 4, scene, next.node),
      );
    const note = shown ? interactivity(shown.item, shown.localeId).tooltip : "";
    tooltip.show(next, marks, scene, at && !isSnapped() ? at : middle, note);
  }

  function markAt(event: PointerEvent | MouseEvent): PlacedMark | undefined {
    if (!scene) return undefined;
    const node = event.target instanceof SVGElement ? nodes.get(event.target) : undefined;
    if (node !== undefined && !isSnapped()) return marks.find((each) => each.node === node);
    return findMark(scene, marks, pointOf(event), isSnapped());
  }

  function pointOf({ clientX, clientY }: PointerEvent | MouseEvent): Point {
    const { left, top } = root.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  const area = document.createElementNS(svgNamespace, "rect");
  area.setAttribute("class", "mf-brush");
  const brush = createBrush(root, {
    canBegin: (target) =>
      onBrush !== undefined && marks.length > 0 && !legend.root.contains(target),
    onMove(from, to, isDone) {
      const [low, high] = [Math.min(from, to), Math.max(from, to)];
      activate(undefined);
      root.classList.toggle("mf-brushing", !isDone);
      const attributes = { x: low, width: high - low, y: 40, height: size.height - 56 };
      for (const [name, value] of Object.entries(attributes))
        area.setAttribute(name, String(value));
      if (isDone) area.remove();
      else if (!area.isConnected) overlay.replaceChildren(area);
      const rows = new Set<number>();
      for (const { node, mark } of marks) {
        const shape = scene?.nodes[node];
        const { x } = middleOf(shape, { x: NaN, y: NaN });
        if (mark.row !== undefined && x >= low && x <= high) rows.add(mark.row);
      }
      onBrush?.([...rows], isDone);
    },
  });
  root.addEventListener("pointerenter", () => onHover?.());
  root.addEventListener("pointermove", (event) => {
    if (brush.isActive()) return;
    if (isPinned || (event.target instanceof Element && legend.root.contains(event.target))) return;
    const next = markAt(event);
    if (next !== active || next) activate(next, pointOf(event));
  });
  root.addEventListener("pointerleave", () => {
    if (!isPinned) activate(undefined);
  });
  root.addEventListener("click", (event) => {
    if (event.target instanceof Element && legend.root.contains(event.target)) return;
    if (brush.hasJustEnded()) return;
    const next = markAt(event);
    if (!onChoose) {
      isPinned = next !== undefined && !(isPinned && next === active);
      return activate(next, pointOf(event));
    }
    if (next)
      onChoose({
        mark: next.mark,
        isAdded: event.shiftKey,
        at: { x: event.clientX, y: event.clientY },
      });
  });
  root.addEventListener("dblclick", (event) => {
    if (event.target instanceof Element && legend.root.contains(event.target)) return;
    const next = markAt(event);
    if (next) onDrill?.(next.mark);
  });
  root.addEventListener("keydown", (event) => {
    if (event.target !== root || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (active || shown?.chosenRows?.size)) {
      if (shown?.chosenRows?.size) onChoose?.(undefined);
      isPinned = false;
      activate(undefined);
    } else if (event.key === "Enter" || event.key === " ") {
      if (!active) return;
      if (onChoose) onChoose({ mark: active.mark, isAdded: event.shiftKey });
      else isPinned = !isPinned;
    } else if (onDrill && (event.key === "+" || event.key === "-")) {
      if (event.key === "-") onDrill(undefined);
      else if (active) onDrill(active.mark);
    } else {
      const next = travel(marks, active, event.key);
      if (!next) return;
      activate(next);
      say(sayMark(next));
    }
    event.preventDefault();
  });
  root.addEventListener("blur", () => {
    if (!isPinned) activate(undefined);
  });

  return {
    root,
    show(next, nextSize) {
      const isSame =
        shown?.state.rows === next.state.rows &&
        shown.state.warnings === next.state.warnings &&
        shown.theme === next.theme &&
        shown.item === next.item &&
        shown.localeId === next.localeId &&
        shown.timezoneId === next.timezoneId &&
        shown.selected === next.selected &&
        size.width === nextSize.width &&
        size.height === nextSize.height;
      if (shown?.item.id !== next.item.id || shown.item.type !== next.item.type) legend.reset();
      shown = next;
      size = nextSize;
      if (isSame) return markChosen();
      isPinned = false;
      activate(undefined);
      draw();
    },
    hide() {
      isPinned = false;
      activate(undefined);
      shown = undefined;
    },
    hiddenSeries: () => [...legend.hidden()],
    close() {
      brush.close();
      tooltip.hide();
      root.remove();
    },
  };
}

function boundsOf(drawn: SVGElement | undefined): Point | undefined {
  if (!(drawn instanceof SVGGraphicsElement)) return undefined;
  const { x, y, width, height } = drawn.getBBox();
  return { x: x + width / 2, y: y + height / 2 };
}
