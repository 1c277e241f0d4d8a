import { objectOf, screens, type Screen } from "../../charts/index.ts";
import {
  createDashboard,
  knownLocale,
  knownZone,
  type Dashboard,
  type DashboardEvents,
  type DashboardLook,
  type ItemData,
} from "../dashboard/index.ts";
import { createAsk, createTokens, type GetToken } from "../host/index.ts";
import { loadFonts } from "../loadFonts.ts";
import { readPageCss } from "./readPageCss.ts";

/** Values of the attribute `theme`; `auto` follows the machine of the reader. */
const themeNames = ["light", "dark", "auto"] as const;
export type ThemeName = (typeof themeNames)[number];

type Json = Readonly<Record<string, unknown>>;

/** Attributes by which the dashboard is another one, and those by which it looks another way. */
const identity = ["dashboard", "item", "host", "auth-key", "auth-token"];
const looks = ["theme", "locale", "timezone", "screen", "filters", "parameters"];

/** The host that the script came from; of no use where a bundler moved it. */
const scriptHost = new URL(import.meta.url).origin;

/** Servers that render pages import the module too, and have no elements. */
const PageElement: typeof HTMLElement = Reflect.get(globalThis, "HTMLElement") ?? Object;

/** An event of an element, by the name of its member in `DashboardEvents`. */
export type DashboardEvent<Name extends keyof DashboardEvents> = CustomEvent<DashboardEvents[Name]>;

/**
 * The element `<manifold-dashboard dashboard="…">`: a dashboard in a shadow root, as high as its contents. It asks the
 * host with `auth-key` and `auth-token`, or with what the property `getToken` returns. Events: ready, load, filter,
 * drill, error, export.
 */
export class ManifoldDashboard extends PageElement {
  static readonly observedAttributes = [...identity, ...looks];
  readonly #root: ShadowRoot;
  #dashboard: Dashboard | undefined;
  #tokens: ReturnType<typeof createTokens> | undefined;
  #getToken: GetToken | undefined;
  #filters: readonly object[] | undefined;
  #parameters: Json | undefined;
  #pending: "open" | "look" | undefined;
  readonly #scheme = matchMedia("(prefers-color-scheme: dark)");
  readonly #onScheme = () => this.#later("look");

  constructor() {
    super();
    this.#root = this.attachShadow({ mode: "open" });
  }

  /** Adds a listener; those of the element's own events have their `detail`. */
  override addEventListener<Name extends keyof DashboardEvents>(
    type: Name,
    listener: (event: DashboardEvent<Name>) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
  override addEventListener(
    type: string,
    listener: never,
    options?: boolean | AddEventListenerOptions,
  ): void {
    super.addEventListener(type, listener, options);
  }

  /** The id of the dashboard. */
  get dashboard(): string {
    return this.getAttribute("dashboard") ?? "";
  }
  set dashboard(id: string) {
    this.setAttribute("dashboard", id);
  }

  /** The address of the host; the host of the script when it is left out. */
  get host(): string {
    return (this.getAttribute("host") ?? scriptHost).replace(/\/+$/, "");
  }
  set host(url: string) {
    this.setAttribute("host", url);
  }

  get authKey(): string {
    return this.getAttribute("auth-key") ?? "";
  }
  set authKey(key: string) {
    this.setAttribute("auth-key", key);
  }

  get authToken(): string {
    return this.getAttribute("auth-token") ?? "";
  }
  set authToken(token: string) {
    this.setAttribute("auth-token", token);
  }

  /** Asks the server of the page for a token: at first, before it ends, and when the host refuses it. */
  get getToken(): GetToken | undefined {
    return this.#getToken;
  }
  set getToken(get: GetToken | undefined) {
    this.#getToken = get;
    this.#later("open");
  }

  /** Replaces the theme of the dashboard and of the token, which are shown when it is left out. */
  get theme(): ThemeName | undefined {
    const name = this.getAttribute("theme");
    return themeNames.find((each) => each === name);
  }
  set theme(name: ThemeName | undefined) {
    if (name === undefined) this.removeAttribute("theme");
    else this.setAttribute("theme", name);
  }

  /** A language tag such as `nl-BE`; the language of the token, then of the browser, when it is left out. */
  get locale(): string | undefined {
    return knownLocale(this.getAttribute("locale"));
  }
  set locale(id: string | undefined) {
    if (id === undefined) this.removeAttribute("locale");
    else this.setAttribute("locale", id);
  }

  /** A zone such as `Europe/Brussels`; the zone of the token, then of the browser, when it is left out. */
  get timezone(): string | undefined {
    return knownZone(this.getAttribute("timezone"));
  }
  set timezone(id: string | undefined) {
    if (id === undefined) this.removeAttribute("timezone");
    else this.setAttribute("timezone", id);
  }

  /** The screen whose view is shown; by the width of the element when it is left out. */
  get screen(): Screen | undefined {
    const name = this.getAttribute("screen");
    return screens.find((each) => each === name);
  }
  set screen(name: Screen | undefined) {
    if (name === undefined) this.removeAttribute("screen");
    else this.setAttribute("screen", name);
  }

  /** Filters in the words of the data service, for all items of their datasets. */
  get filters(): readonly object[] {
    return this.#filters ?? [];
  }
  set filters(filters: readonly object[]) {
    this.#filters = filters;
    this.#later("look");
  }

  /** Values of parameters by name. Overrides of the token go before. */
  get parameters(): Json {
    return this.#parameters ?? {};
  }
  set parameters(values: Json) {
    this.#parameters = values;
    this.#later("look");
  }

  connectedCallback(): void {
    this.#scheme.addEventListener("change", this.#onScheme);
    this.#later("open");
  }

  disconnectedCallback(): void {
    this.#scheme.removeEventListener("change", this.#onScheme);
    this.#close();
  }

  attributeChangedCallback(name: string): void {
    if (name === "filters") this.#filters = readFilters(this.getAttribute(name));
    if (name === "parameters") this.#parameters = readParameters(this.getAttribute(name));
    this.#later(identity.includes(name) ? "open" : "look");
  }

  /** Sets the filter of a name in place of its last one; without filters it is removed. */
  setFilter(name: string, filters?: readonly object[], label?: string): void {
    this.#opened().setFilter(`page:${name}`, filters, label);
  }

  /** Asks for all data again. */
  refresh(): Promise<void> {
    return this.#opened().refresh();
  }

  /** Returns the rows that an item shows. */
  getData(itemId: string): Promise<ItemData> {
    return this.#opened().getData(itemId);
  }

  /** Makes a file: a picture of the dashboard, or a picture or the rows of an item. */
  export(type: string, itemId?: string): Promise<Blob> {
    return this.#opened().export(type, itemId);
  }

  /** The item to show alone; none for a dashboard. */
  protected get shownItem(): string | undefined {
    return undefined;
  }

  #opened(): Dashboard {
    if (this.#pending !== undefined) this.#update();
    if (!this.#dashboard)
      throw new TypeError(
        "the element shows nothing yet: put it in the document, and set dashboard and a token",
      );
    return this.#dashboard;
  }

  /** Changes of several attributes in one turn are one change. */
  #later(what: "open" | "look"): void {
    if (!this.isConnected) return;
    if (this.#pending === undefined) queueMicrotask(() => this.#update());
    if (this.#pending !== "open") this.#pending = what;
  }

  #update(): void {
    const what = this.#pending;
    this.#pending = undefined;
    if (what === undefined || !this.isConnected) return;
    if (what === "look" && this.#dashboard) return this.#dashboard.setLook(this.#look());
    this.#open();
  }

  #open(): void {
    this.#close();
    const { dashboard: dashboardId, host: hostUrl, authKey: key, authToken: token } = this;
    const itemId = this.shownItem;
    const hasToken = this.#getToken !== undefined || key !== "";
    if (dashboardId === "" || itemId === "" || !hasToken) return;
    void loadFonts(hostUrl).then(() => this.#dashboard?.setLook(this.#look()));
    const tokens = createTokens({
      getToken: this.#getToken,
      pair: key !== "" ? { key, ...(token !== "" && { token }) } : undefined,
    });
    this.#tokens = tokens;
    this.#dashboard = createDashboard(this.#root, {
      ask: createAsk({ hostUrl, tokens }),
      hostUrl,
      async ownKey() {
        const pair = await tokens.current();
        // The key of a private link reads no token.
        return pair.token === undefined ? undefined : pair.key;
      },
      dashboardId,
      itemId,
      look: this.#look(),
      emit: (name, detail) => {
        this.dispatchEvent(new CustomEvent(name, { detail }));
      },
    });
  }

  #look(): DashboardLook {
    const { theme } = this;
    return {
      theme: theme === "auto" ? (this.#scheme.matches ? "dark" : "light") : theme,
      css: readPageCss(this),
      localeId: this.locale,
      timezoneId: this.timezone,
      screen: this.screen,
      filters: this.#filters,
      parameters: this.#parameters,
    };
  }

  #close(): void {
    this.#dashboard?.close();
    this.#tokens?.close();
    this.#dashboard = undefined;
    this.#tokens = undefined;
  }
}

/**
 * The element `<manifold-item dashboard="…" item="…">`: one item of a dashboard, as large as the element, 320 pixels
 * high unless the page says otherwise.
 */
export class ManifoldItem extends ManifoldDashboard {
  /** The id of the item in the contents of the dashboard. */
  get item(): string {
    return this.getAttribute("item") ?? "";
  }
  set item(id: string) {
    this.setAttribute("item", id);
  }

  protected override get shownItem(): string {
    return this.item;
  }
}

/** @throws {SyntaxError | TypeError} for a text that is no list: without its filters, a page would show too much */
function readFilters(text: string | null): readonly object[] | undefined {
  if (text === null || text === "") return undefined;
  const filters: readonly object[] = JSON.parse(text);
  if (!Array.isArray(filters))
    throw new TypeError("the attribute filters must be a list of filters");
  return filters;
}

/** @throws {SyntaxError} */
function readParameters(text: string | null): Json | undefined {
  return text === null || text === "" ? undefined : objectOf(JSON.parse(text));
}
