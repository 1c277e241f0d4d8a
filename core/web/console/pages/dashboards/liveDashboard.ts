import { LitElement, type PropertyValues } from "lit";
import type { Screen } from "../../../charts/index.ts";
import { ApiFailure, type Api } from "../../api/index.ts";
import { createDashboard, HostError, type Ask, type Dashboard } from "../../../embed/index.ts";
import { readerLocale, readerZone } from "../../language/index.ts";
import type { ConsoleContext } from "../../parts/index.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * A stored dashboard as the pages of others show it, asked with the session of the browser: filters, selections,
 * drills. It is read anew when `changedAt` changes.
 */
export class LiveDashboard extends LitElement {
  static override properties = {
    context: { attribute: false },
    dashboardId: { attribute: false },
    changedAt: { attribute: false },
    screen: { attribute: false },
    storedTheme: { attribute: false },
  };
  declare context: ConsoleContext;
  declare dashboardId: string;
  /** When the dashboard was saved. */
  declare changedAt: string;
  declare screen: Screen | undefined;
  /** The theme that the dashboard names, as its record has it; the console's when it names none. */
  declare storedTheme: unknown;
  private shown: Dashboard | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate("dashboardId");
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
    if (!this.isConnected) return;
    const look = {
      // A theme of its own is read by the dashboard itself.
      theme: this.storedTheme === undefined ? this.context.theme : undefined,
      localeId: readerLocale,
      timezoneId: readerZone,
      screen: this.screen,
    };
    const isOther = changed.has("dashboardId") || changed.has("changedAt");
    if (this.shown && !isOther) {
      this.shown.setLook(look);
      return;
    }
    this.close();
    const { shadowRoot } = this;
    if (!shadowRoot) return;
    this.shown = createDashboard(shadowRoot, {
      ask: askOf(this.context.api),
      dashboardId: this.dashboardId,
      look,
      // Items say themselves what happens to them.
      emit: () => undefined,
    });
  }
}

/** Asks for a dashboard with the session of the browser. */
function askOf(api: Api): Ask {
  const ask = async (resource: string, given: Json, options = {}): Promise<Json> => {
    const { action, ...members } = given;
    try {
      return await api.call(resource, String(action), members, options);
    } catch (failure) {
      throw hostError(failure);
    }
  };
  return Object.assign(ask, {
    async file(resource: string, given: Json, options = {}) {
      const { action, ...members } = given;
      try {
        return await api.file(resource, String(action), members, options);
      } catch (failure) {
        throw hostError(failure);
      }
    },
  });
}

function hostError(failure: unknown): unknown {
  if (!(failure instanceof ApiFailure)) return failure;
  const { message, status, requestId } = failure;
  return new HostError(message, status, { requestId, cause: failure });
}
