import { GuestElement, type GuestPage } from "./guestElement.ts";
import { guestPages } from "./guestPages.ts";

/**
 * The element `<manifold-ask>`: questions in natural language about a dashboard, a dataset or all data of the token.
 */
export class ManifoldAsk extends GuestElement {
  protected override get pages(): readonly GuestPage[] {
    return [guestPages.ask];
  }

  protected override get firstAddress(): string {
    const query = new URLSearchParams();
    for (const name of ["dashboard", "dataset"]) {
      const id = this.getAttribute(name);
      if (id) query.set(name, id);
    }
    return query.size > 0 ? `/ask?${query.toString()}` : "/ask";
  }

  protected override modeFor(): "view" {
    return "view";
  }
}
