import { ManifoldDashboard } from "./manifoldDashboard.ts";
import { ManifoldItem } from "./manifoldItem.ts";

declare global {
  interface HTMLElementTagNameMap {
    "manifold-dashboard": ManifoldDashboard;
    "manifold-item": ManifoldItem;
  }
}

/**
 * Registers `<manifold-dashboard>` and `<manifold-item>`. If a page loads the script twice, the first registration
 * stays.
 */
export function defineElements(): void {
  if (globalThis.customElements === undefined) return;
  if (!customElements.get("manifold-dashboard"))
    customElements.define("manifold-dashboard", ManifoldDashboard);
  if (!customElements.get("manifold-item")) customElements.define("manifold-item", ManifoldItem);
}
