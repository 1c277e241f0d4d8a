import { LitElement } from "lit";
import type { Api, SignedInUser } from "../api/index.ts";
import type { Route, Router } from "../navigation/index.ts";

/** An action or a record that the command palette can find. */
export interface Command {
  readonly label: string;
  /** The kind of the entry, such as "Dashboard". */
  readonly kind: string;
  run(): void;
}

/** What the reader of an embedded page may do, beside the rights of the token. */
export type GuestMode = "view" | "limited" | "full";

/** The element of another site in which a page is shown. */
export interface Guest {
  readonly mode: GuestMode;
  /** Reports an event to the site. */
  emit(name: "change" | "saved", detail: object): void;
}

/** The parts of the shell that every page can use. */
export interface ConsoleContext {
  readonly api: Api;
  readonly user: SignedInUser;
  readonly router: Router;
  /** The colour mode in which charts are drawn. */
  readonly theme: "light" | "dark";
  /** The element that shows the page; absent in the console itself. */
  readonly guest?: Guest;
}

/**
 * A page of the console. It is a custom element in the document itself, so that the shared styles apply. The shell sets
 * `context`, and sets `route` whenever the address below the page changes.
 */
export abstract class ConsolePage extends LitElement {
  static override properties = {
    context: { attribute: false },
    route: { attribute: false },
  };
  declare context: ConsoleContext;
  declare route: Route;

  /** Actions that the palette offers while the page is open. */
  get commands(): readonly Command[] {
    return [];
  }

  /** Imports files that the reader dropped on the window. Absent on pages that leave this to the Data page. */
  receiveFiles?(files: readonly File[]): void;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Sets the title of the window. */
  protected nameWindow(title: string): void {
    if (this.context.guest) return;
    document.title = `${title} · Manifold`;
  }
}
