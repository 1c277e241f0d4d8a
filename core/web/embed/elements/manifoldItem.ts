import { objectOf } from "../../charts/index.ts";
import { joinContext, type ContextMember, type ContextPlace } from "./itemContext.ts";
import { ManifoldDashboard, type DashboardEvent } from "./manifoldDashboard.ts";

type Json = Readonly<Record<string, unknown>>;

/** The id of an item that a page defines itself. */
const ownId = "item";

/**
 * The element `<manifold-item>`: one item, as large as the element. Shows the item `item` of a dashboard, or an item
 * that the page defines with `type`, `slots` and `options`, in the form in which dashboards store items. It is 320
 * pixels high unless the page sets another height.
 */
export class ManifoldItem extends ManifoldDashboard {
  static override readonly observedAttributes = [
    ...ManifoldDashboard.observedAttributes,
    "context-id",
    "can-filter",
  ];
  #slots: readonly object[] | undefined;
  #options: Json | undefined;
  #place: ContextPlace | undefined;
  #selection: ContextMember["selection"];
  #isReady = false;

  constructor() {
    super();
    this.addEventListener("ready", () => {
      this.#isReady = true;
      this.#place?.receive();
    });
    this.addEventListener("filter", (event: DashboardEvent<"filter">) => {
      const own = event.detail.filters.find(({ source }) => source === this.shownItem);
      if (JSON.stringify(own) === JSON.stringify(this.#selection)) return;
      this.#selection = own;
      this.#place?.send();
    });
  }

  /**
   * Id of the item in the contents of the dashboard. Required unless `type` is set.
   * @default ""
   */
  get item(): string {
    return this.getAttribute("item") ?? "";
  }
  set item(id: string) {
    this.setAttribute("item", id);
  }

  /**
   * Type of an item that the page defines, such as `bar-chart`.
   * @default "": the element shows an item of a dashboard
   */
  get type(): string {
    return this.getAttribute("type") ?? "";
  }
  set type(type: string) {
    this.setAttribute("type", type);
  }

  /**
   * The slots of an item that the page defines: `[{name, content: [{datasetId, columnId, type, …}]}]`.
   * @default []
   */
  get slots(): readonly object[] {
    return this.#slots ?? [];
  }
  set slots(slots: readonly object[]) {
    this.#slots = slots;
    this.reopen();
  }

  /**
   * The options of an item that the page defines.
   * @default {}
   */
  get options(): Json {
    return this.#options ?? {};
  }
  set options(options: Json) {
    this.#options = options;
    this.reopen();
  }

  /**
   * Name of a context. What readers select in one item filters the other items with the same name, if they show columns
   * of the same dataset.
   * @default "": the item is on its own
   */
  get contextId(): string {
    return this.getAttribute("context-id") ?? "";
  }
  set contextId(id: string) {
    this.setAttribute("context-id", id);
  }

  /**
   * Whether selections in other items of the context filter this item: `all` or `none`.
   * @default all
   */
  get canFilter(): "all" | "none" {
    return this.getAttribute("can-filter") === "none" ? "none" : "all";
  }
  set canFilter(can: "all" | "none") {
    this.setAttribute("can-filter", can);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#join();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  override attributeChangedCallback(name: string): void {
    if (name === "slots") this.#slots = readSlots(this.getAttribute(name));
    if (name === "options") this.#options = readOptions(this.getAttribute(name));
    if (name === "context-id" || name === "can-filter") this.#join();
    else super.attributeChangedCallback(name);
  }

  protected override get shownItem(): string {
    return this.type === "" ? this.item : ownId;
  }

  protected override get shownContents(): Json | undefined {
    const { type, slots, options } = this;
    if (type === "") return undefined;
    const item = { id: ownId, type, slots, options, position: { col: 0, row: 0 } };
    return { views: [{ screenModus: "desktop", items: [item] }] };
  }

  protected override closed(): void {
    this.#isReady = false;
  }

  #join(): void {
    this.#leave();
    if (!this.isConnected || this.contextId === "") return;
    const read = () => this.#selection;
    const canFilter = () => this.canFilter === "all";
    this.#place = joinContext(this.contextId, {
      get canBeFiltered() {
        return canFilter();
      },
      get selection() {
        return read();
      },
      filterBy: (source, where, label) => {
        // An item that is not ready asks for the selections when it is.
        if (this.#isReady) this.setFilter(source, where, label);
      },
    });
    if (this.#isReady) this.#place.receive();
  }

  #leave(): void {
    this.#place?.leave();
    this.#place = undefined;
  }
}

/**
 * Parses the `slots` attribute.
 * @throws {SyntaxError | TypeError} unless the text is a JSON array
 */
function readSlots(text: string | null): readonly object[] | undefined {
  if (text === null || text === "") return undefined;
  const slots: readonly object[] = JSON.parse(text);
  if (!Array.isArray(slots)) throw new TypeError("the attribute slots must be a JSON array");
  return slots;
}

/**
 * Parses the `options` attribute.
 * @throws {SyntaxError} unless the text is JSON
 */
function readOptions(text: string | null): Json | undefined {
  return text === null || text === "" ? undefined : objectOf(JSON.parse(text));
}
