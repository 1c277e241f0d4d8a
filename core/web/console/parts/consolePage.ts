import { LitElement } from "lit";
import type { Api, SignedInUser } from "../api/index.ts";
import type { Place, Places } from "../navigation/index.ts";

/** An action or a thing that the command palette finds. */
export interface Command {
  readonly label: string;
  /** The kind of the thing, such as "Dashboard". */
  readonly kind: string;
  run(): void;
}

/** The parts that the shell gives each page. */
export interface ConsoleContext {
  readonly api: Api;
  readonly user: SignedInUser;
  readonly places: Places;
  /** `light` or `dark`, as charts draw. */
  readonly theme: "light" | "dark";
}

/**
 * A page of the console: a custom element in the document itself, so that the shared styles are its own. The shell sets
 * `context`, and `place` after each change of the address below the page.
 */
export abstract class ConsolePage extends LitElement {
  static override properties = {
    context: { attribute: false },
    place: { attribute: false },
  };
  declare context: ConsoleContext;
  declare place: Place;

  /** Actions that the palette offers while the page is open. */
  get commands(): readonly Command[] {
    return [];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Names the page in the title of the window. */
  protected nameWindow(title: string): void {
    document.title = `${title} · Manifold`;
  }
}
