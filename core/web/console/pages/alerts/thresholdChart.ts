import { html, LitElement, svg, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import {
  createColors,
  darkTheme,
  drawItem,
  lightTheme,
  type DrawKind,
  type Scene,
  type SceneNode,
} from "../../../charts/index.ts";
import { drawScene } from "../../../embed/index.ts";
import { readerLocale, readerZone, writeNumber } from "../../language/index.ts";
import { elementOf } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import { words } from "./words.ts";

/** The position and value of a row's mark. */
interface Point {
  readonly row: number;
  readonly x: number;
  readonly y: number;
  readonly value: number;
}

/**
 * A chart of one measure with a threshold that can be dragged, and marks where the alert would have fired. Properties:
 * `answered`, `drawKind`, `threshold`, `firedRows`, `theme`, `onThreshold`.
 */
export class ThresholdChart extends LitElement {
  static override properties = {
    answered: { attribute: false },
    drawKind: { attribute: false },
    threshold: { attribute: false },
    firedRows: { attribute: false },
    theme: { attribute: false },
    size: { state: true },
  };
  declare answered: AnsweredItem;
  declare drawKind: DrawKind;
  declare threshold: number;
  declare firedRows: ReadonlySet<number>;
  declare theme: "light" | "dark";
  declare onThreshold: (value: number) => void;
  declare private size: { readonly width: number; readonly height: number };
  private readonly picture = createRef<SVGSVGElement>();
  private readonly sizes = new ResizeObserver(() => this.measureSize());

  constructor() {
    super();
    this.size = { width: 0, height: 0 };
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.sizes.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.sizes.disconnect();
  }

  private measureSize(): void {
    const { clientWidth: width, clientHeight: height } = this;
    if (width !== this.size.width || height !== this.size.height) this.size = { width, height };
  }

  private scene(): Scene {
    const { answered, theme, size } = this;
    const colors = theme === "dark" ? darkTheme : lightTheme;
    const request = {
      item: answered.item,
      fields: answered.fields,
      rows: answered.rows,
      theme: colors,
      colors: createColors(colors),
      ...size,
      localeId: readerLocale,
      timezoneId: readerZone,
    };
    return drawItem(request, this.drawKind);
  }

  protected override updated(): void {
    const drawn = this.picture.value;
    if (drawn && this.size.width > 20) drawScene(this.scene(), drawn);
  }

  /** Moves the threshold to the pointer and rounds its value. */
  private drag(event: PointerEvent, toValue: (y: number) => number): void {
    event.preventDefault();
    const handle = elementOf(event.currentTarget, SVGElement);
    handle.setPointerCapture(event.pointerId);
    const { top } = this.getBoundingClientRect();
    const follow = (next: PointerEvent) => this.onThreshold(rounded(toValue(next.clientY - top)));
    handle.addEventListener("pointermove", follow);
    handle.addEventListener(
      "lostpointercapture",
      () => handle.removeEventListener("pointermove", follow),
      { once: true },
    );
  }

  protected override render(): TemplateResult {
    const { width, height } = this.size;
    if (width <= 20) return html``;
    const place = width > 20 ? this.renderThreshold() : "";
    return html`<svg ${ref(this.picture)}></svg>
      <svg class="over" width=${width} height=${height} viewBox="0 0 ${width} ${height}">
        ${place}
      </svg>`;
  }

  private renderThreshold() {
    const cell = this.answered.fields.length - 1;
    const points = this.scene().nodes.flatMap((node): Point[] =>
      pointOf(node, this.answered.rows, cell),
    );
    const axis = axisOf(points);
    if (!axis) return "";
    const { height, width } = this.size;
    const y = Math.max(4, Math.min(height - 4, axis.toY(this.threshold)));
    const fired = points.filter(({ row }) => this.firedRows.has(row));
    const step = Math.abs(rounded(axis.toValue(0) - axis.toValue(height))) / 100;
    const move = (event: KeyboardEvent) => {
      const by = { ArrowUp: step, ArrowDown: -step }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      this.onThreshold(rounded(this.threshold + by));
    };
    return svg`${fired.map(({ x, y: at }) => svg`<circle class="fired" cx=${x} cy=${at} r="6"></circle>`)}
      <line class="threshold" x1="16" x2=${width - 16} y1=${y} y2=${y}></line>
      <rect class="handle" x="16" y=${y - 8} width=${width - 32} height="16" tabindex="0" role="slider"
        aria-label=${words.threshold} aria-valuenow=${this.threshold} aria-valuetext=${writeNumber(this.threshold)}
        aria-orientation="vertical" @keydown=${move}
        @pointerdown=${(event: PointerEvent) => this.drag(event, axis.toValue)}></rect>
      <text class="threshold-value" x=${width - 18} y=${y - 5} text-anchor="end">${writeNumber(this.threshold)}</text>`;
  }
}

/** Rounds to three significant digits, as people would write a threshold. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function pointOf(node: SceneNode, rows: AnsweredItem["rows"], cell: number): Point[] {
  const row = node.mark?.row;
  const value = row === undefined ? undefined : rows[row]?.[cell];
  if (row === undefined || typeof value !== "number") return [];
  if (node.kind === "circle") return [{ row, value, x: node.x, y: node.y }];
  // Bars grow from zero, so the value is at the end that is not at zero.
  if (node.kind !== "rect" || node.width === 0) return [];
  return [{ row, value, x: node.x + node.width / 2, y: value < 0 ? node.y + node.height : node.y }];
}

/** Derives the value axis from two points with different values. */
function axisOf(points: readonly Point[]) {
  const sorted = points.toSorted((one, other) => one.value - other.value);
  const [low, high] = [sorted[0], sorted.at(-1)];
  if (!low || !high || low.value === high.value) return undefined;
  const perValue = (high.y - low.y) / (high.value - low.value);
  if (perValue === 0) return undefined;
  return {
    toY: (value: number) => low.y + (value - low.value) * perValue,
    toValue: (y: number) => low.value + (y - low.y) / perValue,
  };
}
