import { css, LitElement, type PropertyValues } from "lit";
import { isSetBy } from "../../../charts/index.ts";
import { createDashboard, type Dashboard } from "../../../embed/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import type { ConsoleContext } from "../../parts/index.ts";
import { callHostOf } from "./callHostOf.ts";
import type { BoardItem, BoardView, Contents } from "./contents.ts";
import type { FilterValue } from "./filterValue.ts";

/**
 * The control of a filter in edit mode, drawn by the embed code as readers see it. What the author chooses in it is
 * what the dashboard opens with.
 */
export class BoardControl extends LitElement {
  static override properties = {
    context: { attribute: false },
    contents: { attribute: false },
    view: { attribute: false },
    item: { attribute: false },
    storedTheme: { attribute: false },
  };
  static override styles = css`
    :host {
      display: block;
      height: 100%;
    }
  `;
  declare context: ConsoleContext;
  declare contents: Contents;
  declare view: BoardView;
  declare item: BoardItem;
  /** The stored theme of the dashboard; undefined to use the console's own theme. */
  declare storedTheme: unknown;
  declare onValue: (value: FilterValue | undefined) => void;
  private shown: Dashboard | undefined;
  /** What the control shows, except for its own value. */
  private shownKey = "";
  /** The stored filters of its own value. */
  private ownKey = "";
  /** Whether the next change of its own value is what the author just chose in it. */
  private isOwnChange = false;

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate("item");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.close();
  }

  private close(): void {
    this.shown?.close();
    this.shown = undefined;
  }

  protected override updated(changed: PropertyValues): void {
    const { shadowRoot, item, view, contents, storedTheme } = this;
    if (!this.isConnected || !shadowRoot) return;
    const look = {
      theme: storedTheme === undefined ? this.context.theme : undefined,
      localeId: readerLocale,
      timezoneId: readerZone,
      screen: view.screenModus,
    };
    const { type, slots, options } = item;
    const groups = [...(contents.filterGroups ?? []), ...(view.filterGroups ?? [])];
    const shownKey = JSON.stringify([
      { type, slots, options },
      groups.filter((group) => !isSetBy(group, item.id)),
      view.options,
    ]);
    const ownKey = JSON.stringify(groups.filter((group) => isSetBy(group, item.id)));
    const isOther = shownKey !== this.shownKey || (ownKey !== this.ownKey && !this.isOwnChange);
    if (ownKey !== this.ownKey) this.isOwnChange = false;
    [this.shownKey, this.ownKey] = [shownKey, ownKey];
    if (this.shown && !isOther) {
      if (changed.has("context") || changed.has("storedTheme")) this.shown.setLook(look);
      return;
    }
    this.close();
    this.shown = createDashboard(shadowRoot, {
      callHost: callHostOf(this.context.api),
      dashboardId: "",
      contents: { ...contents, views: [{ ...view, items: [item] }] },
      itemId: item.id,
      look,
      // A failed control shows its own message.
      emit: (name, detail) => {
        if (name !== "statechange" || !("state" in detail) || detail.ignored) return;
        this.isOwnChange = true;
        this.onValue(detail.state.filters?.[item.id]);
      },
    });
  }
}
