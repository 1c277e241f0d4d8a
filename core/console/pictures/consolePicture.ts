import { html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import {
  createColors,
  darkTheme,
  drawItem,
  lightTheme,
  type ChartCell,
  type ChartItem,
  type Colors,
  type SlotField,
} from "../../charts/index.ts";
import { drawScene } from "../embed/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";

/** An item with its answer. */
export interface Picture {
  readonly item: ChartItem;
  readonly fields: readonly SlotField[];
  readonly rows: readonly (readonly ChartCell[])[];
  /** Why there are no rows. */
  readonly failure?: string;
}

const sameColors = { light: createColors(lightTheme), dark: createColors(darkTheme) };

/** A picture that fills its element, drawn again when its size changes: `picture`, `theme`, `colors`. */
export class ConsolePicture extends LitElement {
  static override properties = {
    picture: { attribute: false },
    theme: { attribute: false },
    colors: { attribute: false },
  };
  declare picture: Picture | undefined;
  declare theme: "light" | "dark";
  /** The colours of a dashboard's items; when left out, those of the page. */
  declare colors: Colors | undefined;
  private readonly svg = createRef<SVGSVGElement>();
  private readonly sizes = new ResizeObserver(() => this.draw());

  constructor() {
    super();
    this.theme = "light";
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

  protected override updated(_changed: PropertyValues): void {
    this.draw();
  }

  private draw(): void {
    const { picture, theme } = this;
    const svg = this.svg.value;
    const { clientWidth: width, clientHeight: height } = this;
    if (!picture || !svg || width < 20 || height < 20) return;
    const { failure } = picture;
    const scene = drawItem({
      item: picture.item,
      fields: picture.fields,
      rows: picture.rows,
      theme: theme === "dark" ? darkTheme : lightTheme,
      colors: this.colors ?? sameColors[theme],
      width,
      height,
      localeId: readerLocale,
      timezoneId: readerZone,
      ...(failure !== undefined && { failure }),
    });
    drawScene(scene, svg);
  }

  protected override render(): TemplateResult {
    return html`<svg ${ref(this.svg)}></svg>`;
  }
}
