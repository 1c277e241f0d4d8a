import type { GuestMode } from "../parts/index.ts";
import { GuestElement, type GuestPage } from "./guestElement.ts";
import { guestPages } from "./guestPages.ts";
import type { TokenHolder } from "./readTokenHolder.ts";

const modes = ["view", "limited", "full"] as const;

/**
 * The element `<manifold-editor dashboard="…">`: a dashboard that the reader can edit. In the mode `view`, the reader
 * only looks; in `limited`, the reader arranges and restyles items, and adds text; in `full`, the reader also adds
 * charts and filters, changes what charts show, and chooses a theme. A token without the right to change the dashboard
 * always views it.
 */
export class ManifoldEditor extends GuestElement {
  /**
   * What the reader may do.
   * @default full
   */
  get mode(): GuestMode {
    const given = this.getAttribute("mode");
    return modes.find((mode) => mode === given) ?? "full";
  }
  set mode(mode: GuestMode) {
    this.setAttribute("mode", mode);
  }

  /**
   * Id of the dashboard. Without it, the element shows the dashboards of the token.
   * @default ""
   */
  get dashboard(): string {
    return this.getAttribute("dashboard") ?? "";
  }
  set dashboard(id: string) {
    this.setAttribute("dashboard", id);
  }

  protected override get pages(): readonly GuestPage[] {
    return this.mode === "full"
      ? [guestPages.dashboards, guestPages.explore]
      : [guestPages.dashboards];
  }

  protected override get firstAddress(): string {
    const { dashboard, mode } = this;
    if (dashboard === "") return "/dashboards";
    return `/dashboards/${encodeURIComponent(dashboard)}${mode === "view" ? "" : "?edit=1"}`;
  }

  protected override modeFor(holder: TokenHolder): GuestMode {
    return holder.mayEdit(this.dashboard) ? this.mode : "view";
  }
}
