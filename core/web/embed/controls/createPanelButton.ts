import { adoptStyles, element, placeBelow } from "../view/index.ts";
import { panelStyles } from "./panelStyles.ts";

export interface PanelButtonOptions {
  /** The name for screen readers. The text of the button follows it. */
  readonly name: string;
  readonly text: string;
  readonly hasPopup: "listbox" | "dialog";
  /**
   * Creates the content of the panel when it opens, and returns the element that gets the focus. If it rejects, the
   * panel shows the message of the error.
   */
  fill(panel: HTMLElement): Promise<HTMLElement | undefined>;
}

/** A button that opens a panel in the top layer. */
export interface PanelButton {
  readonly root: HTMLButtonElement;
  setText(text: string): void;
  /** Closes the panel, and returns the focus to the button. */
  close(): void;
}

/** Creates a button that opens a panel below it. Escape, and a press outside the panel, close it. */
export function createPanelButton(options: PanelButtonOptions): PanelButton {
  const { name, hasPopup, fill } = options;
  const text = element("span", {});
  const root = element(
    "button",
    {
      type: "button",
      class: "mf-field",
      "aria-haspopup": hasPopup,
      "aria-expanded": "false",
    },
    text,
  );
  let panel: HTMLElement | undefined;
  let wasOpen = false;

  function setText(next: string): void {
    text.textContent = next;
    root.ariaLabel = `${name}: ${next}`;
    root.title = next;
  }

  async function open(): Promise<void> {
    const opened = element("div", {
      class: "mf-panel",
      part: "panel",
      popover: "auto",
      role: hasPopup === "dialog" ? "dialog" : "presentation",
      ...(hasPopup === "dialog" && { "aria-label": name }),
    });
    panel = opened;
    // Next to the row of the button, whose styles are not those of the panel.
    (root.parentElement ?? root).after(opened);
    adoptStyles(opened, panelStyles());
    opened.addEventListener("beforetoggle", (event) => {
      if (event.newState === "closed" && opened.matches(":focus-within")) root.focus();
    });
    opened.addEventListener("toggle", (event) => {
      root.ariaExpanded = String(event.newState === "open");
      if (event.newState === "open") return;
      opened.remove();
      if (panel === opened) panel = undefined;
    });
    opened.showPopover();
    opened.style.setProperty("min-width", `${root.getBoundingClientRect().width}px`);
    try {
      const first = await fill(opened);
      placeBelow(opened, root);
      first?.focus();
    } catch (failure) {
      const message = failure instanceof Error ? failure.message : String(failure);
      opened.replaceChildren(element("div", { class: "mf-note", role: "alert" }, message));
      placeBelow(opened, root);
    }
  }

  // A press outside an open panel closes it, so a press of its button must not open it again.
  root.addEventListener("pointerdown", () => {
    wasOpen = panel !== undefined;
  });
  root.addEventListener("click", () => {
    const isClosing = wasOpen;
    wasOpen = false;
    if (!isClosing && !panel) void open();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" || panel) return;
    event.preventDefault();
    void open();
  });
  setText(options.text);
  return { root, setText, close: () => panel?.hidePopover() };
}
