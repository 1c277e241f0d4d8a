import { html, LitElement, svg, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import {
  createColors,
  darkTheme,
  drawItem,
  lightTheme,
  valueScale,
  type DrawKind,
  type Scene,
  type ValueScale,
} from "../../../charts/index.ts";
import { drawScene } from "../../../embed/index.ts";
import { readerLocale, readerZone, writeNumber } from "../../language/index.ts";
import { elementOf } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import { words } from "./words.ts";

/** An item with its rows. The last cell of each row is compared with the threshold. */
export type MeasuredAnswer = Pick<AnsweredItem, "item" | "fields" | "rows">;

/**
 * A chart of one measure with a threshold, and marks where the alert would have fired. With `onThreshold`, the
 * threshold can be dragged. Properties: `answered`, `drawKind`, `threshold`, `firedRows`, `theme`, `timezoneId`,
 * `onThreshold`.
 */
export class ThresholdChart extends LitElement {
  static override properties = {
    answered: { attribute: false },
    drawKind: { attribute: false },
    threshold: { attribute: false },
    firedRows: { attribute: false },
    theme: { attribute: false },
    timezoneId: { attribute: false },
    size: { state: true },
  };
  declare answered: MeasuredAnswer;
  declare drawKind: DrawKind;
  declare threshold: number;
  declare firedRows: ReadonlySet<number>;
  declare theme: "light" | "dark";
  /** The time zone of the periods. */
  declare timezoneId: string;
  declare onThreshold: ((value: number) => void) | undefined;
  declare private size: { readonly width: number; readonly height: number };
  private readonly picture = createRef<SVGSVGElement>();
  private readonly sizes = new ResizeObserver(() => this.measureSize());

  constructor() {
    super();
    this.size = { width: 0, height: 0 };
    this.timezoneId = readerZone;
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
      timezoneId: this.timezoneId,
    };
    return drawItem(request, this.drawKind);
  }

  protected override updated(): void {
    const drawn = this.picture.value;
    if (drawn && this.size.width > 20) drawScene(this.scene(), drawn);
  }

  /** Moves the threshold to the pointer and rounds its value. */
  private drag(event: PointerEvent, scale: ValueScale): void {
    event.preventDefault();
    const handle = elementOf(event.currentTarget, SVGElement);
    handle.setPointerCapture(event.pointerId);
    const { top, left } = this.getBoundingClientRect();
    const follow = (next: PointerEvent) => {
      const pixel = scale.isAlongX ? next.clientX - left : next.clientY - top;
      this.onThreshold?.(rounded(scale.valueAt(pixel)));
    };
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
    const { answered, threshold } = this;
    const cell = answered.fields.length - 1;
    const scale = valueScale(this.scene(), (row) => answered.rows[row]?.[cell]);
    if (!scale) return "";
    const { height, width } = this.size;
    const { isAlongX } = scale;
    const length = isAlongX ? width : height;
    const at = Math.max(4, Math.min(length - 4, scale.at(threshold)));
    const fired = scale.points.filter(({ row }) => this.firedRows.has(row));
    const step = Math.abs(rounded(scale.valueAt(0) - scale.valueAt(length))) / 100;
    const steps = { ArrowUp: step, ArrowRight: step, ArrowDown: -step, ArrowLeft: -step };
    const move = (event: KeyboardEvent) => {
      const by = Object.entries(steps).find(([key]) => key === event.key)?.[1];
      if (by === undefined) return;
      event.preventDefault();
      this.onThreshold?.(rounded(threshold + by));
    };
    const line = isAlongX
      ? { x1: at, x2: at, y1: 16, y2: height - 16 }
      : { x1: 16, x2: width - 16, y1: at, y2: at };
    const handle = isAlongX
      ? { x: at - 8, y: 16, width: 16, height: height - 32 }
      : { x: 16, y: at - 8, width: width - 32, height: 16 };
    // The number of a vertical line stands on its side that has more room.
    const isLeft = at > width / 2;
    const label = isAlongX
      ? { x: isLeft ? at - 5 : at + 5, y: 26, anchor: isLeft ? "end" : "start" }
      : { x: width - 18, y: at - 5, anchor: "end" };
    return svg`${fired.map(({ x, y }) => svg`<circle class="fired" cx=${x} cy=${y} r="6"></circle>`)}
      <line class="threshold" x1=${line.x1} x2=${line.x2} y1=${line.y1} y2=${line.y2}></line>
      ${
        this.onThreshold
          ? svg`<rect class=${isAlongX ? "handle along-x" : "handle"} x=${handle.x} y=${handle.y}
              width=${handle.width} height=${handle.height} tabindex="0" role="slider"
              aria-label=${words.threshold} aria-valuenow=${threshold}
              aria-valuetext=${writeNumber(threshold)}
              aria-orientation=${isAlongX ? "horizontal" : "vertical"} @keydown=${move}
              @pointerdown=${(event: PointerEvent) => this.drag(event, scale)}></rect>`
          : ""
      }
      <text class="threshold-value" x=${label.x} y=${label.y} text-anchor=${label.anchor}>${writeNumber(threshold)}</text>`;
  }
}

/** Rounds to three significant digits, as people would write a threshold. */
function rounded(value: number): number {
  return Number(value.toPrecision(3));
}
