import { css, LitElement, type PropertyValues } from "lit";
import type { Screen } from "../../../charts/index.ts";
import { createDashboard, type Dashboard, type DashboardState } from "../../../embed/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import type { ConsoleContext } from "../../parts/index.ts";
import { callHostOf } from "./callHostOf.ts";

/**
 * A stored dashboard drawn by the embed code, with the session of the browser: filters, selections and drills work. It
 * is loaded again when `changedAt` changes.
 */
export class LiveDashboard extends LitElement {
  static override properties = {
    context: { attribute: false },
    dashboardId: { attribute: false },
    changedAt: { attribute: false },
    screen: { attribute: false },
    storedTheme: { attribute: false },
    state: { attribute: false },
    onState: { attribute: false },
  };
  /** The console's own bar offers the files of the dashboard. */
  static override styles = css`
    .mf-dashboard > .mf-bar {
      display: none;
    }
  `;
  declare context: ConsoleContext;
  declare dashboardId: string;
  /** The time at which the dashboard was last saved. */
  declare changedAt: string;
  declare screen: Screen | undefined;
  /** The stored theme that the dashboard names; undefined to use the console's own theme. */
  declare storedTheme: unknown;
  /** What the reader has chosen, as JSON; undefined for the author's defaults. */
  declare state: unknown;
  /** Called when the reader changed a choice. */
  declare onState: (state: DashboardState) => void;
  private shown: Dashboard | undefined;
  /** The state that the dashboard has, so that the page's own address is not applied again. */
  private current = "";

  /** Returns what the reader has chosen; undefined while nothing is shown. */
  get choices(): DashboardState | undefined {
    return this.shown?.state();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate("dashboardId");
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.close();
  }

  /** Creates a file of the dashboard, with the filters and selections of the reader. */
  async export(type: string): Promise<Blob> {
    if (!this.shown) throw new TypeError("the dashboard is not open");
    return this.shown.export(type);
  }

  private close(): void {
    this.shown?.close();
    this.shown = undefined;
  }

  protected override updated(changed: PropertyValues): void {
    if (!this.isConnected) return;
    const { user, guest } = this.context;
    // Guests of other sites create alerts with their tokens, in the component.
    const mayAlert = !guest && user.features?.removed?.includes("flag_alerting") !== true;
    const look = {
      // If the dashboard has its own theme, it loads that theme itself.
      theme: this.storedTheme === undefined ? this.context.theme : undefined,
      localeId: readerLocale,
      timezoneId: readerZone,
      screen: this.screen,
      menu: mayAlert ? (["export", "alert"] as const) : (["export"] as const),
    };
    const isOther = changed.has("dashboardId") || changed.has("changedAt");
    if (this.shown && !isOther) {
      if (["context", "screen", "storedTheme"].some((each) => changed.has(each)))
        this.shown.setLook(look);
      if (changed.has("state") && this.current !== JSON.stringify(this.state)) {
        this.current = JSON.stringify(this.state);
        this.shown.setState(this.state);
      }
      return;
    }
    this.close();
    const { shadowRoot } = this;
    if (!shadowRoot) return;
    this.shown = createDashboard(shadowRoot, {
      callHost: callHostOf(this.context.api),
      dashboardId: this.dashboardId,
      state: this.state,
      email: user.email,
      look,
      // Failed items show their own message.
      emit: (name, detail) => {
        if (name !== "statechange" || !("state" in detail)) return;
        // A state that was applied is already in the address, or in a view.
        if (detail.ignored) return;
        this.current = JSON.stringify(detail.state);
        this.onState(detail.state);
      },
    });
    this.current = JSON.stringify(this.state);
  }
}
