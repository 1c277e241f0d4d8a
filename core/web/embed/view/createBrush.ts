/** Pixels that the pointer must move before a press counts as a brush instead of a click. */
const leastPixels = 5;

/** Detects brushes, which are drags over an element. */
export interface Brush {
  isActive(): boolean;
  /** Returns whether the click event that follows belongs to a finished brush. */
  hasJustEnded(): boolean;
  close(): void;
}

/** When a brush may begin, and the callback for its range. */
export interface BrushOptions {
  canBegin(target: Element): boolean;
  /** Receives both ends of the brush, in pixels of the element: at most once per frame, and once at the end. */
  onMove(from: number, to: number, isDone: boolean): void;
}

/** Detects drags across an element with a mouse or pen. A finger scrolls the page instead. */
export function createBrush(root: HTMLElement, { canBegin, onMove }: BrushOptions): Brush {
  let from: number | undefined;
  let to = 0;
  let isActive = false;
  let hasEnded = false;
  let frame = 0;
  /** Position of the element when the press began. Pages do not scroll during a brush. */
  let box = { left: 0, width: 0 };
  const xOf = ({ clientX }: PointerEvent) => Math.max(0, Math.min(box.width, clientX - box.left));
  const down = (event: PointerEvent) => {
    hasEnded = false;
    if (event.button !== 0 || event.pointerType === "touch") return;
    if (!(event.target instanceof Element) || !canBegin(event.target)) return;
    box = root.getBoundingClientRect();
    from = xOf(event);
  };
  const move = (event: PointerEvent) => {
    if (from === undefined) return;
    to = xOf(event);
    if (!isActive && Math.abs(to - from) < leastPixels) return;
    if (!isActive) root.setPointerCapture(event.pointerId);
    isActive = true;
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      if (from !== undefined) onMove(from, to, false);
    });
  };
  const end = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    if (from !== undefined && isActive) {
      hasEnded = true;
      onMove(from, to, true);
    }
    from = undefined;
    isActive = false;
  };
  root.addEventListener("pointerdown", down);
  root.addEventListener("pointermove", move);
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
  return {
    isActive: () => isActive,
    hasJustEnded: () => hasEnded,
    close: end,
  };
}
