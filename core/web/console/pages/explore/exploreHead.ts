import { html, nothing, type TemplateResult } from "lit";
import { ifDefined } from "lit/directives/if-defined.js";
import { offeredTypes } from "../../../charts/index.ts";
import { elementOf, openMenu } from "../../parts/index.ts";
import {
  chooseChart,
  itemTitle,
  writeQuestion,
  type ExploredColumn,
  type Question,
} from "../../questions/index.ts";
import type { Steps } from "./createSteps.ts";
import { views, viewOf, type View } from "./view.ts";
import { words } from "./words.ts";

const exportTypes = ["csv", "xlsx", "parquet", "json", "png"] as const;
export type ExportType = (typeof exportTypes)[number];

export interface ExploreHeadOptions {
  readonly datasetId: string;
  readonly question: Question;
  readonly columns: ReadonlyMap<string, ExploredColumn>;
  readonly view: View;
  readonly steps: Steps;
  readonly hasAnswer: boolean;
  /** Whether the host has a model for questions in natural language. */
  readonly hasAssistant: boolean;
  /** Whether the reader can make an alert from the answer. */
  readonly hasAlerts: boolean;
  /** The saved questions; absent for guests, who have none. `name` is that of the one that is open. */
  readonly questions?: {
    readonly name: string | undefined;
    onOpen(button: HTMLElement): void;
  };
  change(question: Question): void;
  onView(view: View): void;
  onUndo(): void;
  onRedo(): void;
  onExport(type: ExportType): void;
  onSave(): void;
}

/** The head of a question: chart type, view, and actions on the answer. */
export function exploreHead(options: ExploreHeadOptions): TemplateResult {
  const { datasetId, question, columns, view, steps, hasAnswer, hasAssistant, hasAlerts, change } =
    options;
  const { questions, onView, onUndo, onRedo, onExport, onSave } = options;
  const automatic = chooseChart({ ...question, chart: "" }, columns);
  const valueOf = (event: Event) => elementOf(event.target, HTMLSelectElement).value;
  return html`<div class="work-head">
    <select
      class="input"
      aria-label=${words.chart}
      @change=${(event: Event) => change({ ...question, chart: valueOf(event) })}
    >
      <option value="" ?selected=${question.chart === ""}>
        ${words.automatic(itemTitle(automatic))}
      </option>
      ${offeredTypes("explore").map(
        (type) =>
          html`<option value=${type} ?selected=${question.chart === type}>
            ${itemTitle(type)}
          </option>`,
      )}
    </select>
    <select
      class="input"
      aria-label=${words.view}
      @change=${(event: Event) => onView(viewOf(valueOf(event)))}
    >
      ${views.map(
        (each) =>
          html`<option value=${each} ?selected=${each === view}>${words.views[each]}</option>`,
      )}
    </select>
    ${
      questions
        ? html`<button
            class="button quiet truncate questions"
            aria-haspopup="menu"
            title=${words.saved.title}
            @click=${(event: Event) =>
              questions.onOpen(elementOf(event.currentTarget, HTMLElement))}
          >
            ${questions.name ?? words.saved.button}
          </button>`
        : nothing
    }
    <span class="grow"></span>
    <button class="button quiet" ?disabled=${!steps.canUndo} @click=${onUndo}>${words.undo}</button>
    <button class="button quiet" ?disabled=${!steps.canRedo} @click=${onRedo}>${words.redo}</button>
    <button
      class="button quiet"
      aria-haspopup="menu"
      ?disabled=${!hasAnswer}
      @click=${(event: Event) =>
        openMenu(
          elementOf(event.currentTarget, HTMLElement),
          words.export,
          exportTypes.map((type) => ({ label: type.toUpperCase(), run: () => onExport(type) })),
        )}
    >
      ${words.export}
    </button>
    ${hasAssistant ? html`<a class="button" href="/ask?dataset=${datasetId}">${words.ask}</a>` : ""}
    ${
      hasAlerts
        ? html`<a
            class="button"
            href="/alerts/new?dataset=${datasetId}&q=${encodeURIComponent(writeQuestion(question))}"
            aria-disabled=${ifDefined(hasAnswer ? undefined : "true")}
            >${words.alert}</a
          >`
        : nothing
    }
    <button class="button primary" ?disabled=${!hasAnswer} @click=${onSave}>${words.save}</button>
  </div>`;
}

/**
 * Renders a note that the chart is for a dashboard, with a link back to the dashboard. Renders nothing for an empty id.
 */
export function dashboardNote(dashboardId: string): TemplateResult | typeof nothing {
  if (dashboardId === "") return nothing;
  return html`<p class="for-dashboard small">
    <span class="grow">${words.forDashboard}</span>
    <a href="/dashboards/${dashboardId}?edit=1">${words.backToDashboard}</a>
  </p>`;
}
