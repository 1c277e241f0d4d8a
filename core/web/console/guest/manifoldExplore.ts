import { GuestElement, type GuestPage } from "./guestElement.ts";
import { guestPages } from "./guestPages.ts";

/**
 * The element `<manifold-explore dataset="…">`: questions about a dataset, by putting its columns on shelves. Without
 * the attribute `dataset`, it shows the datasets of the token.
 */
export class ManifoldExplore extends GuestElement {
  protected override get pages(): readonly GuestPage[] {
    return [guestPages.explore];
  }

  protected override get firstAddress(): string {
    const id = this.getAttribute("dataset");
    return id ? `/explore/${encodeURIComponent(id)}` : "/explore";
  }

  protected override modeFor(): "full" {
    return "full";
  }
}
