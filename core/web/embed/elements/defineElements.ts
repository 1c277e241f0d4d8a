import { ManifoldDashboard, ManifoldItem } from "./manifoldDashboard.ts";

declare global {
  interface HTMLElementTagNameMap {
    "manifold-dashboard": ManifoldDashboard;
    "manifold-item": ManifoldItem;
  }
}

/** Registers `<manifold-dashboard>` and `<manifold-item>`; a page that loads the script twice keeps the first. */
export function defineElements(): void {
  if (globalThis.customElements === undefined) return;
  if (!customElements.get("manifold-dashboard"))
    customElements.define("manifold-dashboard", ManifoldDashboard);
  if (!customElements.get("manifold-item")) customElements.define("manifold-item", ManifoldItem);
}
