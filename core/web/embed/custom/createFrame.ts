import { element } from "../view/index.ts";

/** Everything that a chart receives: the answer for its item, and how to show it. */
export interface FramePicture {
  readonly type: "draw";
  /** The item's query, without the filters that the reader chose. */
  readonly query: unknown;
  readonly columns: readonly {
    readonly name: string;
    readonly slot: string;
    readonly type: string;
    readonly format: string | undefined;
  }[];
  readonly rows: readonly (readonly unknown[])[];
  readonly theme: object;
  readonly width: number;
  readonly height: number;
  readonly locale: string;
  readonly timezone: string;
}

/** The script of a chart, and the callbacks for its messages. */
export interface FrameOptions {
  readonly hostUrl: string;
  readonly script: string;
  /** Title of the frame for screen readers. */
  readonly title: string;
  /** Called with row numbers of the last picture, without duplicates, when the chart asks to filter by them. */
  onFilter(rows: readonly number[]): void;
  /** Called when the frame cannot be shown, or when the script fails. */
  onFailure(why: "blocked" | "failed", message: string): void;
}

/** The frame of a custom chart, which shows one picture at a time. */
export interface Frame {
  readonly root: HTMLElement;
  draw(picture: FramePicture): void;
  close(): void;
}

/** Milliseconds after which a frame that has sent no message counts as blocked. */
const patienceMs = 10_000;
const leastHeight = 40;
const mostHeight = 4_000;

/**
 * Creates the frame in which one of the organization's own charts draws: a page of the host with its own origin. The
 * frame communicates only by messages, and each message that it sends is checked. It cannot reach the page or any host.
 */
export function createFrame({ hostUrl, script, title, onFilter, onFailure }: FrameOptions): Frame {
  const address = `${hostUrl}/chart-frame`;
  const { port1: port, port2: theirs } = new MessageChannel();
  const frame = element("iframe", {
    class: "mf-frame",
    part: "frame",
    sandbox: "allow-scripts",
    referrerpolicy: "no-referrer",
    title,
  });
  let last: FramePicture | undefined;
  let isReady = false;
  const timer = setTimeout(() => block("the frame of the chart does not respond"), patienceMs);

  const block = (message: string): void => {
    if (isReady) return;
    clearTimeout(timer);
    onFailure("blocked", message);
  };
  const onViolation = ({ blockedURI, disposition }: SecurityPolicyViolationEvent): void => {
    const isOurs = blockedURI.startsWith(new URL(address).origin) && disposition === "enforce";
    if (isOurs) block("the policy of the page does not allow frames from the host");
  };
  const onHello = ({ source, data }: MessageEvent): void => {
    if (source !== frame.contentWindow || data !== "manifold:frame") return;
    removeEventListener("message", onHello);
    frame.contentWindow?.postMessage({ script }, "*", [theirs]);
  };
  document.addEventListener("securitypolicyviolation", onViolation);
  addEventListener("message", onHello);
  port.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const message = typeof data === "object" && data !== null ? data : {};
    const type: unknown = Reflect.get(message, "type");
    if (type === "ready") {
      isReady = true;
      clearTimeout(timer);
      if (last) port.postMessage(last);
    } else if (type === "size") {
      const height: unknown = Reflect.get(message, "height");
      if (typeof height !== "number" || !(height >= leastHeight && height <= mostHeight)) return;
      frame.style.setProperty("flex", "none");
      frame.style.setProperty("height", `${Math.round(height)}px`);
    } else if (type === "filter") {
      const rows = rowsOf(Reflect.get(message, "rows"), last?.rows.length ?? 0);
      if (rows) onFilter(rows);
    } else if (type === "failure")
      onFailure("failed", String(Reflect.get(message, "message")).slice(0, 300));
  });
  port.start();
  frame.setAttribute("src", address);

  return {
    root: frame,
    draw(picture) {
      last = picture;
      if (isReady) port.postMessage(picture);
    },
    close() {
      clearTimeout(timer);
      document.removeEventListener("securitypolicyviolation", onViolation);
      removeEventListener("message", onHello);
      port.close();
      frame.remove();
    },
  };
}

/** Returns row numbers without duplicates; undefined unless the value is a list of row numbers. */
function rowsOf(value: unknown, rowCount: number): readonly number[] | undefined {
  if (!Array.isArray(value) || value.length > rowCount) return undefined;
  const places = value.filter(
    (each): each is number => Number.isInteger(each) && each >= 0 && each < rowCount,
  );
  return places.length === value.length ? [...new Set(places)] : undefined;
}
