import { html, LitElement, type TemplateResult } from "lit";
import {
  createColors,
  darkTheme,
  lightTheme,
  type ChartItem,
  type ChartTheme,
  type Colors,
} from "../../charts/index.ts";
import {
  createItemView,
  type Choice,
  type ItemState,
  type ItemView,
  type Sorting,
} from "../../embed/index.ts";
import { readerLocale, readerZone } from "../language/index.ts";

/** An item to draw, with the state of its data. */
export interface Picture {
  readonly item: ChartItem;
  readonly state: ItemState;
  /** Indexes of the rows that the reader chose. All marks of other rows fade. */
  readonly chosenRows?: ReadonlySet<number>;
}

/** Colours of pictures outside dashboards, which take the values of their own answers. */
const pageColors = { light: createColors(lightTheme), dark: createColors(darkTheme) };

/**
 * A picture that fills its element, drawn by the same item view as embedded dashboards. Properties: `picture`, `theme`,
 * `look`, `onChoose`, `onSort`, `onRetry`.
 */
export class ConsolePicture extends LitElement {
  static override properties = {
    picture: { attribute: false },
    theme: { attribute: false },
    look: { attribute: false },
  };
  declare picture: Picture | undefined;
  declare theme: "light" | "dark";
  /** Theme and colours of the dashboard's items; absent to use the theme and colours of the page. */
  declare look: { readonly theme: ChartTheme; readonly colors: Colors } | undefined;
  declare onChoose: ((choice: Choice | undefined) => void) | undefined;
  /** Called when the reader sorts a table. A table that does not have all rows then needs an answer in this order. */
  declare onSort: ((sorting: Sorting | undefined) => void) | undefined;
  declare onRetry: (() => void) | undefined;
  private view: ItemView | undefined;

  constructor() {
    super();
    this.theme = "light";
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.view?.close();
    this.view = undefined;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate();
  }

  protected override updated(): void {
    const { picture, theme } = this;
    if (!picture || !this.isConnected) return;
    this.view ??= createItemView(this, {
      ...(this.onChoose && { onChoose: (choice) => this.onChoose?.(choice) }),
      ...(this.onSort && { onSort: (sorting) => this.onSort?.(sorting) }),
      ...(this.onRetry && { onRetry: () => this.onRetry?.() }),
    });
    this.view.show({
      ...picture,
      theme: theme === "dark" ? darkTheme : lightTheme,
      colors: pageColors[theme],
      ...this.look,
      localeId: readerLocale,
      timezoneId: readerZone,
    });
  }

  protected override render(): TemplateResult {
    return html``;
  }
}
