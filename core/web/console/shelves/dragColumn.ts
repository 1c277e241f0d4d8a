import { overlayPlace, rootOf } from "../parts/index.ts";
import type { Shelf } from "../questions/index.ts";

/** A column that is dragged from the list or from a shelf. */
export interface DraggedColumn {
  readonly id: string;
  readonly label: string;
  readonly from?: { readonly shelf: Shelf; readonly index: number };
}

/** Event of a shelf on which a column is dropped. Its detail is the dragged column. */
const dropped = "column-dropped";

/** Pixels that the pointer must move before a press counts as a drag. Moving a finger up or down scrolls instead. */
const least = 6;

/** Drags a column with mouse, pen or finger until it is dropped on a shelf. Escape cancels the drag. */
export function dragColumn(event: PointerEvent, column: DraggedColumn): void {
  const source = event.currentTarget;
  if (event.button !== 0 || !event.isPrimary || !(source instanceof HTMLElement)) return;
  const { clientX, clientY, pointerId, pointerType } = event;
  const listening = new AbortController();
  let ghost: HTMLElement | undefined;
  let shelf: Element | undefined;
  const mark = (next: Element | undefined) => {
    shelf?.classList.remove("over");
    next?.classList.add("over");
    shelf = next;
  };
  const begin = (next: PointerEvent): HTMLElement | undefined => {
    const x = Math.abs(next.clientX - clientX);
    const y = Math.abs(next.clientY - clientY);
    const isDrag = pointerType === "touch" ? x > least && x > y : Math.hypot(x, y) > least;
    if (!isDrag) return undefined;
    source.setPointerCapture(pointerId);
    const made = document.createElement("div");
    made.className = "dragged-column";
    made.textContent = column.label;
    made.ariaHidden = "true";
    overlayPlace().append(made);
    return made;
  };
  const end = () => {
    listening.abort();
    ghost?.remove();
    mark(undefined);
  };
  const follow = (next: PointerEvent) => {
    if (next.pointerId !== pointerId) return;
    ghost ??= begin(next);
    if (!ghost) return;
    ghost.style.transform = `translate(${next.clientX + 8}px, ${next.clientY + 8}px)`;
    mark(
      rootOf(source).elementFromPoint(next.clientX, next.clientY)?.closest(".shelf") ?? undefined,
    );
  };
  const drop = (next: PointerEvent) => {
    if (next.pointerId !== pointerId) return;
    const target = shelf;
    const isDragged = ghost !== undefined;
    end();
    if (!isDragged) return;
    ignoreNextClick();
    target?.dispatchEvent(new CustomEvent<DraggedColumn>(dropped, { detail: column }));
  };
  const { signal } = listening;
  window.addEventListener("pointermove", follow, { signal });
  window.addEventListener("pointerup", drop, { signal });
  window.addEventListener("pointercancel", end, { signal });
  window.addEventListener(
    "keydown",
    ({ key }) => {
      if (key === "Escape") end();
    },
    { signal },
  );
}

/** Ignores the click at the end of a drag, which must not count as a click on a column. */
function ignoreNextClick(): void {
  const ignore = (event: Event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  window.addEventListener("click", ignore, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", ignore, { capture: true }));
}
