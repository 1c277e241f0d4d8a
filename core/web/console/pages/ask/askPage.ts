import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { isRecord } from "../../api/index.ts";
import { readerLocale, readerZone, textOf } from "../../language/index.ts";
import {
  ConsolePage,
  ConsoleTable,
  createLoad,
  define,
  elementOf,
  emptyState,
} from "../../parts/index.ts";
import { ConsolePicture } from "../../pictures/index.ts";
import { adoptStyles } from "../../styles/index.ts";
import { AnswerCard } from "./answerCard.ts";
import { DescribeView } from "./describeView.ts";
import { addEvent, noReply, readAnswer, type ShownAnswer } from "./readAnswer.ts";
import { readScope, type Scope } from "./readScope.ts";
import { renderTurn, type Turn } from "./renderTurn.ts";
import { askStyles } from "./styles.ts";
import { words } from "./words.ts";

/**
 * The Ask page, for questions in natural language about the `dataset` or `dashboard` in the address, or about all data.
 * An `answer` in the address is shown without a model. `/ask/describe/…` describes a dataset.
 */
export class AskPage extends ConsolePage {
  static override properties = {
    ...ConsolePage.properties,
    turns: { state: true },
    isAsking: { state: true },
    question: { state: true },
  };
  declare private turns: readonly Turn[];
  declare private isAsking: boolean;
  declare private question: string;
  private conversationId: string | undefined;
  private running: AbortController | undefined;
  private shownText: string | null = null;
  private shown: ShownAnswer | undefined;
  private readonly scope = createLoad<Scope>(this, (signal) =>
    readScope(this.context.api, this.dashboardId, signal),
  );

  constructor() {
    super();
    [this.turns, this.isAsking, this.question] = [[], false, ""];
    define("console-picture", ConsolePicture);
    define("console-table", ConsoleTable);
    define("console-answer", AnswerCard);
    define("console-describe", DescribeView);
    adoptStyles(askStyles);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.abort();
  }

  private get datasetId(): string {
    return this.route.query.get("dataset") ?? "";
  }

  private get dashboardId(): string | undefined {
    return this.route.query.get("dashboard") ?? undefined;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("route")) return;
    const before: unknown = changed.get("route");
    const answer = this.route.query.get("answer");
    if (answer !== this.shownText) {
      this.shownText = answer;
      this.shown = readAnswer(answer);
    }
    const scopeOf = (route: unknown) =>
      isRecord(route) && route["query"] instanceof URLSearchParams
        ? route["query"].get("dashboard")
        : undefined;
    if (before === undefined || scopeOf(before) !== scopeOf(this.route)) void this.scope.start();
  }

  private async ask(question: string): Promise<void> {
    const text = question.trim();
    if (text === "" || this.isAsking) return;
    const about =
      this.datasetId === "" ? (this.scope.value?.dashboard?.datasetIds ?? []) : [this.datasetId];
    const own = new AbortController();
    this.running = own;
    [this.isAsking, this.question] = [true, ""];
    let reply = noReply;
    this.turns = [...this.turns, { question: text, reply, state: "asking" }];
    const show = (turn: Omit<Turn, "question">) => {
      this.turns = [...this.turns.slice(0, -1), { question: text, ...turn }];
    };
    try {
      const properties = {
        agent: "analyst",
        task: "generate",
        stream: true,
        locale_id: readerLocale,
        timezone_id: readerZone,
        ...(this.conversationId !== undefined && { conversation_id: this.conversationId }),
        input: [
          { type: "text", value: text },
          ...about.map((value) => ({ type: "dataset", value })),
        ],
      };
      const { api } = this.context;
      const { signal } = own;
      for await (const event of api.events("aiprompt", "create", { properties }, { signal })) {
        reply = addEvent(reply, event);
        show({ reply, state: "asking" });
      }
      this.conversationId = reply.conversationId ?? this.conversationId;
      show({ reply, state: "whole" });
    } catch (failure) {
      const isEmpty = reply.answers.length === 0 && reply.message === "";
      if (!own.signal.aborted) show({ reply, state: "failed", failure });
      else {
        if (isEmpty) this.turns = this.turns.slice(0, -1);
        else show({ reply, state: "stopped" });
        this.question = text;
      }
    }
    this.isAsking = false;
  }

  protected override render(): TemplateResult {
    const [, kind, id = ""] = this.route.parts;
    if (kind === "describe")
      return html`<console-describe .context=${this.context} .datasetId=${id}></console-describe>`;
    const { features } = this.context.user;
    const hasModel = features?.assistant === true;
    this.nameWindow(words.title);
    return html`<div class="page ask-page">
      <header class="page-head"><h1>${words.title}</h1></header>
      ${this.shown ? this.renderCard(this.shown) : nothing}
      ${hasModel ? this.renderTalk() : this.shown ? nothing : renderUnavailable()}
    </div>`;
  }

  private renderCard(shown: ShownAnswer): TemplateResult {
    return html`<console-answer
      .context=${this.context}
      .shown=${shown}
      .dashboardId=${this.dashboardId}
    ></console-answer>`;
  }

  private renderTalk(): TemplateResult {
    return html`${
        this.turns.length === 0 && !this.shown ? html`<p class="muted">${words.intro}</p>` : nothing
      }
      <ol class="turns" aria-live="polite">
        ${this.turns.map(
          (turn, index) =>
            html`<li class="stack">
              ${renderTurn(turn, {
                isLast: index === this.turns.length - 1,
                isAsking: this.isAsking,
                card: (shown) => this.renderCard(shown),
                ask: (question) => void this.ask(question),
                stop: () => this.running?.abort(),
              })}
            </li>`,
        )}
      </ol>
      ${this.renderForm()}`;
  }

  private renderForm(): TemplateResult {
    const { value } = this.scope;
    const everything = value?.dashboard
      ? words.ofDashboard(textOf(value.dashboard.name))
      : words.anyDataset;
    return html`<form
      class="surface stack ask-form"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.ask(this.question);
      }}
    >
      <label for="ask-question">${words.question}</label>
      <textarea
        id="ask-question"
        class="input"
        rows="2"
        maxlength="4000"
        placeholder=${words.questionHint}
        .value=${this.question}
        @input=${(event: Event) => {
          this.question = elementOf(event.target, HTMLTextAreaElement).value;
        }}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          void this.ask(this.question);
        }}
      ></textarea>
      <div class="row wrap">
        <label class="row grow" for="ask-dataset"
          ><span class="muted small">${words.datasets}</span>
          <select
            id="ask-dataset"
            class="input grow"
            @change=${(event: Event) =>
              this.choose(elementOf(event.target, HTMLSelectElement).value)}
          >
            <option value="" ?selected=${this.datasetId === ""}>${everything}</option>
            ${(value?.datasets ?? []).map(
              ({ id, name }) =>
                html`<option value=${id} ?selected=${id === this.datasetId}>
                  ${textOf(name) || id}
                </option>`,
            )}
          </select></label
        >
        <button
          class="button primary"
          type="submit"
          ?disabled=${this.isAsking || this.question.trim() === ""}
        >
          ${words.ask}
        </button>
      </div>
    </form>`;
  }

  private choose(datasetId: string): void {
    const query = new URLSearchParams(this.route.query);
    if (datasetId === "") query.delete("dataset");
    else query.set("dataset", datasetId);
    const search = query.size > 0 ? `?${query.toString()}` : "";
    this.context.router.go(`/ask${search}`, { replaces: true });
  }
}

function renderUnavailable(): TemplateResult {
  return emptyState({
    title: words.unavailable,
    text: words.unavailableText,
    action: html`<a class="button" href="/explore">${words.explore}</a>`,
  });
}
