import { html, render } from "lit";
import { createTokens, loadFonts, type EditorEvents, type GetToken } from "../../embed/index.ts";
import { createApi, messageOf, type Api } from "../api/index.ts";
import { loadWords } from "../language/index.ts";
import { openMemoryRouter, type MemoryRouter, type Route } from "../navigation/index.ts";
import {
  ConsolePage,
  define,
  elementOf,
  errorState,
  loadingState,
  openOverlaysIn,
  type GuestMode,
} from "../parts/index.ts";
import { addStyleRoot } from "../styles/index.ts";
import { readTokenHolder, type TokenHolder } from "./readTokenHolder.ts";

/** A page of the console that an element can show. */
export interface GuestPage {
  /** The first part of its addresses. */
  readonly path: string;
  readonly tag: string;
  load(): Promise<new () => ConsolePage>;
}

const scriptHost = new URL(import.meta.url).origin;
const identity = ["host", "auth-key", "auth-token", "dashboard", "dataset", "mode"];

/**
 * An element for pages of other sites that shows pages of the console with the rights of a token. The pages are in its
 * shadow root; their addresses are in memory. Attributes: `host`, `auth-key`, `auth-token` and `theme`. Property:
 * `getToken`. Events: see `EditorEvents`.
 */
export abstract class GuestElement extends HTMLElement {
  static readonly observedAttributes = [...identity, "theme"];
  readonly #root = this.attachShadow({ mode: "open" });
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  readonly #onScheme = () => this.#draw();
  #getToken: GetToken | undefined;
  #isWaiting = false;
  #close: (() => void) | undefined;
  #opened:
    | { readonly api: Api; readonly router: MemoryRouter; readonly holder: TokenHolder }
    | undefined;
  #failure: unknown;
  /** The page that is shown. It stays while only the address below its path changes. */
  #page: { readonly entry: GuestPage; readonly element: ConsolePage } | undefined;

  /** The pages that the element shows, the first by default. */
  protected abstract get pages(): readonly GuestPage[];
  /** The first address; undefined while an attribute is missing. */
  protected abstract get firstAddress(): string | undefined;
  /** Returns what the reader may do with the token. */
  protected abstract modeFor(holder: TokenHolder): GuestMode;

  /**
   * Address of the host, such as `https://analytics.example.org`.
   * @default the host from which the script was loaded
   */
  get host(): string {
    return (this.getAttribute("host") ?? scriptHost).replace(/\/+$/, "");
  }
  set host(url: string) {
    this.setAttribute("host", url);
  }

  /**
   * Function that fetches a token from the server of the page, as for `<manifold-dashboard>`.
   * @default undefined: the element uses `auth-key` and `auth-token`
   */
  get getToken(): GetToken | undefined {
    return this.#getToken;
  }
  set getToken(get: GetToken | undefined) {
    this.#getToken = get;
    this.#later();
  }

  connectedCallback(): void {
    this.#scheme.addEventListener("change", this.#onScheme);
    this.#later();
  }

  disconnectedCallback(): void {
    this.#scheme.removeEventListener("change", this.#onScheme);
    this.#end();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    if (name === "theme") this.#draw();
    else this.#later();
  }

  /** Combines all attribute changes of one task into one opening. */
  #later(): void {
    if (!this.isConnected || this.#isWaiting) return;
    this.#isWaiting = true;
    queueMicrotask(() => {
      this.#isWaiting = false;
      if (this.isConnected) void this.#open();
    });
  }

  #end(): void {
    this.#close?.();
    this.#close = undefined;
    this.#opened = undefined;
    this.#page = undefined;
    this.#failure = undefined;
    render(html``, this.#root);
  }

  async #open(): Promise<void> {
    this.#end();
    const { host: hostUrl, firstAddress } = this;
    const key = this.getAttribute("auth-key");
    const token = this.getAttribute("auth-token");
    const pair = key !== null && token !== null ? { key, token } : undefined;
    if (firstAddress === undefined || (!pair && !this.#getToken)) return;
    const ending = new AbortController();
    const { signal } = ending;
    const tokens = createTokens({ getToken: this.#getToken, pair });
    const removeRoot = addStyleRoot(this.#root);
    const router = openMemoryRouter({
      root: this.#root,
      address: firstAddress,
      isOwn: (route) => this.#entryOf(route) !== undefined,
      onLeave: (address) => this.#emit("leave", { address }),
    });
    router.onChange(() => this.#draw());
    for (const name of ["focusin", "pointerdown"])
      this.#root.addEventListener(name, () => this.#useOverlays(), { signal });
    this.#close = () => {
      ending.abort();
      tokens.close();
      router.close();
      removeRoot();
    };
    this.#draw();
    void loadFonts(hostUrl);
    const api = createApi({
      onSignedOut: () => undefined,
      caller: {
        hostUrl,
        headers: {},
        credentials: "omit",
        members: async () => ({ ...(await tokens.current()) }),
        renew: async ({ key: usedKey, token: usedToken }) =>
          tokens.renew({ key: String(usedKey), token: String(usedToken) }),
      },
    });
    try {
      const { key: ownKey } = await tokens.current();
      const [holder] = await Promise.all([readTokenHolder(api, ownKey, signal), loadWords()]);
      if (signal.aborted) return;
      this.#opened = { api, router, holder };
    } catch (failure) {
      if (signal.aborted) return;
      this.#failure = failure;
      this.#emit("error", { message: messageOf(failure) });
    }
    this.#draw();
  }

  #entryOf({ parts }: Route): GuestPage | undefined {
    return this.pages.find(({ path }) => path === parts[0]);
  }

  #emit<Name extends keyof EditorEvents>(name: Name, detail: EditorEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  get #theme(): "light" | "dark" {
    const theme = this.getAttribute("theme");
    if (theme === "light" || theme === "dark") return theme;
    return this.#scheme.matches ? "dark" : "light";
  }

  #draw(): void {
    if (!this.isConnected || !this.#close) return;
    this.dataset["theme"] = this.#theme;
    const shown =
      this.#failure === undefined
        ? (this.#showPage() ?? html`<div class="page">${loadingState()}</div>`)
        : html`<div class="page">${errorState(this.#failure, () => this.#later())}</div>`;
    render(
      html`<div class="guest">${shown}</div>
        <div class="guest overlays"></div>`,
      this.#root,
    );
  }

  /** Lets dialogs, menus and notices open in this element, not in another one of the page. */
  #useOverlays(): void {
    const place = this.#root.querySelector<HTMLElement>(".overlays");
    if (place) openOverlaysIn(place);
  }

  /** Returns the element of the page at the current address; undefined until it is loaded. */
  #showPage(): ConsolePage | undefined {
    if (!this.#opened) return undefined;
    const { api, router, holder } = this.#opened;
    const entry = this.#entryOf(router.current);
    if (!entry) return undefined;
    if (this.#page?.entry !== entry) {
      if (!customElements.get(entry.tag)) {
        void this.#loadPage(entry);
        return undefined;
      }
      this.#page = { entry, element: elementOf(document.createElement(entry.tag), ConsolePage) };
    }
    const { element } = this.#page;
    const theme = this.#theme;
    if (element.context?.theme !== theme) {
      const guest = {
        mode: this.modeFor(holder),
        emit: (name: "change" | "saved", detail: object) =>
          void this.dispatchEvent(new CustomEvent(name, { detail })),
      };
      element.context = { api, router, theme, user: holder.user, guest };
    }
    element.route = router.current;
    return element;
  }

  async #loadPage(entry: GuestPage): Promise<void> {
    try {
      define(entry.tag, await entry.load());
    } catch (failure) {
      this.#failure = failure;
    }
    this.#draw();
  }
}
