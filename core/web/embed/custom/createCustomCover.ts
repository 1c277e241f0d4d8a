import { fillIn, queryOf, readColumns, titleOf, type ChartItem } from "../../charts/index.ts";
import type { CallHost } from "../host/index.ts";
import {
  adoptStyles,
  element,
  viewWordsOf,
  type Cover,
  type CoverOptions,
  type ItemPicture,
} from "../view/index.ts";
import { createFrame, type Frame } from "./createFrame.ts";
import { frameStyles } from "./frameStyles.ts";
import { readChart } from "./readChart.ts";

/** The options of a cover, and the host from which the chart's script and frame are loaded. */
export interface CustomCoverOptions extends CoverOptions {
  readonly callHost: CallHost;
  readonly hostUrl: string;
}

/**
 * Draws an item with one of the organization's own charts, in a frame over a table of the item's data. The table
 * remains visible while the chart loads. If the page's policy blocks frames or the chart fails, the table stays
 * visible, with a line that states the reason.
 */
export function createCustomCover({
  container,
  callHost,
  hostUrl,
  onBrush,
  onFailure,
}: CustomCoverOptions): Cover {
  const note = element("div", { class: "mf-frame-note", part: "note", role: "status" });
  const title = element("div", { class: "mf-title", part: "title" });
  const stage = element("div", { class: "mf-frame-stage" }, title, note);
  note.hidden = true;
  stage.hidden = true;
  container.append(stage);
  adoptStyles(container, frameStyles());
  const closing = new AbortController();
  let frame: Frame | undefined;
  let shown: ItemPicture | undefined;
  let chartId: unknown;

  function say(text: string): void {
    frame?.close();
    frame = undefined;
    stage.hidden = false;
    stage.classList.add("mf-frame-none");
    title.hidden = true;
    note.hidden = false;
    note.textContent = text;
  }

  async function open(item: ChartItem): Promise<void> {
    try {
      const script = await readChart(callHost, item, closing.signal);
      if (closing.signal.aborted || item.options.customChartId !== chartId) return;
      frame = createFrame({
        hostUrl,
        script,
        title: nameOf(item),
        onFilter: (rows) => onBrush?.(rows, true),
        onFailure(why, message) {
          const words = viewWordsOf(shown?.localeId ?? "en");
          say(why === "blocked" ? words.noFrame : fillIn(words.chartFailed, { message }));
          onFailure(new Error(message));
        },
      });
      note.hidden = true;
      stage.classList.remove("mf-frame-none");
      stage.append(frame.root);
      draw();
    } catch (failure) {
      if (closing.signal.aborted) return;
      const message = failure instanceof Error ? failure.message : String(failure);
      say(fillIn(viewWordsOf(shown?.localeId ?? "en").chartFailed, { message }));
      onFailure(failure);
    }
  }

  const nameOf = (item: ChartItem) => {
    const { localeId = "en", timezoneId = "UTC" } = shown ?? {};
    const columns = readColumns({ fields: item.fields, localeId, timezoneId });
    return titleOf(item, columns, localeId) || item.type;
  };

  function draw(): void {
    if (!shown || !frame || shown.state.kind !== "answer") return;
    const { item, state, theme, localeId, timezoneId } = shown;
    stage.hidden = false;
    title.textContent = nameOf(item);
    title.hidden = item.options.title === undefined;
    const columns = readColumns({ fields: state.fields, localeId, timezoneId });
    frame.draw({
      type: "draw",
      query: queryOf(item)?.query ?? {},
      columns: columns.map(({ name, field }) => ({
        name,
        slot: field.slot,
        type: field.type,
        format: field.format,
      })),
      rows: state.rows,
      theme,
      width: stage.clientWidth,
      height: Math.max(0, stage.clientHeight - (title.hidden ? 0 : title.offsetHeight + 12)),
      locale: localeId,
      timezone: timezoneId,
    });
  }

  const observer = new ResizeObserver(draw);
  observer.observe(container);
  return {
    show(picture) {
      shown = picture;
      if (picture.state.kind === "failed") stage.hidden = true;
      const { item } = picture;
      if (item.options.customChartId === chartId && chartId !== undefined) return draw();
      chartId = item.options.customChartId;
      frame?.close();
      frame = undefined;
      void open(item);
    },
    // The frame covers the table, so the table keeps its size.
    print: () => frame === undefined,
    isShown: () => frame !== undefined,
    close() {
      closing.abort();
      observer.disconnect();
      frame?.close();
      stage.remove();
    },
  };
}
