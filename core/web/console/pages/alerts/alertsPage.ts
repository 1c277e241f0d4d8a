import { html, type TemplateResult } from "lit";
import { ConsolePage, ConsoleTable, define, tabs, type ConsoleContext } from "../../parts/index.ts";
import { recordStyles, RecordView } from "../../records/index.ts";
import { adoptStyles, dataTable } from "../../styles/index.ts";
import { AlertEditor } from "./alertEditor.ts";
import { AlertList } from "./alertList.ts";
import { alertView } from "./alertView.ts";
import { ChannelList } from "./channelList.ts";
import { MeasuredNow } from "./measuredNow.ts";
import { MeasuredValues } from "./measuredValues.ts";
import { ScheduleList } from "./scheduleList.ts";
import { alertStyles } from "./styles.ts";
import { ThresholdChart } from "./thresholdChart.ts";
import { words } from "./words.ts";

const tabIds = ["alerts", "schedules", "channels"] as const;

const panels: Readonly<
  Record<(typeof tabIds)[number], (context: ConsoleContext) => TemplateResult>
> = {
  alerts: (context) =>
    html`<console-alert-list class="stack" .context=${context}></console-alert-list>`,
  schedules: (context) =>
    html`<console-schedule-list class="stack" .context=${context}></console-schedule-list>`,
  channels: (context) =>
    html`<console-channel-list class="stack" .context=${context}></console-channel-list>`,
};

/**
 * The Alerts page: all alerts with their states, the scheduled dashboards, the channels, the history of one alert, and
 * a form for a new alert.
 */
export class AlertsPage extends ConsolePage {
  constructor() {
    super();
    define("console-table", ConsoleTable);
    define("console-alert-list", AlertList);
    define("console-record-view", RecordView);
    define("console-channel-list", ChannelList);
    define("console-schedule-list", ScheduleList);
    define("console-threshold-chart", ThresholdChart);
    define("console-alert-editor", AlertEditor);
    define("console-measured-now", MeasuredNow);
    define("console-measured-values", MeasuredValues);
    adoptStyles(dataTable, recordStyles, alertStyles);
  }

  protected override render(): TemplateResult {
    const { context, route } = this;
    const [, id = "", part] = route.parts;
    if (id === "new" || (id !== "" && part === "edit"))
      return html`<console-alert-editor
        .context=${context}
        .source=${id === "new" ? route.query : id}
      ></console-alert-editor>`;
    if (id !== "")
      return html`<div class="page">
        <console-record-view
          .context=${context}
          .kind=${alertView}
          .recordId=${id}
        ></console-record-view>
      </div>`;
    const tab = tabIds.find((each) => each === route.query.get("tab")) ?? "alerts";
    return html`<div class="page">
      <header class="page-head">
        <div>
          <h1>${words.title}</h1>
          <p>${words.text}</p>
        </div>
      </header>
      ${tabs({
        label: words.title,
        selected: tab,
        items: tabIds.map((each) => ({ id: each, label: words.tabs[each] })),
        onSelect: (next) =>
          context.router.go(next === "alerts" ? "/alerts" : `/alerts?tab=${next}`, {
            replaces: true,
          }),
      })}
      <div role="tabpanel" id="panel-${tab}" aria-labelledby="tab-${tab}" class="stack">
        ${panels[tab](context)}
      </div>
    </div>`;
  }
}
