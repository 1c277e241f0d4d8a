import { html, type TemplateResult } from "lit";
import type { Choice, Sorting } from "../../../embed/index.ts";
import { emptyState, errorState } from "../../parts/index.ts";
import type { AnsweredItem } from "../../pictures/index.ts";
import { nameOf, type ExploredColumn, type Question } from "../../questions/index.ts";
import { answerColumns } from "./answerColumns.ts";
import { planView } from "./planView.ts";
import type { View } from "./view.ts";
import { words } from "./words.ts";

export interface AnswerViewOptions {
  readonly answered: AnsweredItem | undefined;
  readonly failure: unknown;
  readonly isLoading: boolean;
  readonly view: View;
  readonly question: Question;
  readonly columns: ReadonlyMap<string, ExploredColumn>;
  readonly theme: "light" | "dark";
  /** Called when the reader sorts a table. */
  onSort(sorting: Sorting | undefined): void;
  /** Called when the reader chooses a mark of the picture. */
  onChoose(choice: Choice | undefined): void;
  onRetry(): void;
}

/** The answer to a question as a chart, a table, both or a plan. If the question has no answer, shows the reason. */
export function answerView(options: AnswerViewOptions): TemplateResult {
  const { answered, failure, isLoading, view, columns, question, theme } = options;
  const { onSort, onChoose, onRetry } = options;
  if (failure !== undefined) return html`<div class="answer">${errorState(failure, onRetry)}</div>`;
  if (!answered)
    return html`<div class="answer">
      ${isLoading ? "" : emptyState({ title: words.start, text: words.startText })}
    </div>`;
  if (view === "plan") {
    const nameOfColumn = (id: string | undefined): string => {
      const column = id === undefined ? undefined : columns.get(id);
      return column ? nameOf(column) : (id ?? "?");
    };
    return html`<div class="answer">${planView({ answered, question, nameOfColumn })}</div>`;
  }
  return html`<div class="answer ${view}" aria-busy=${String(isLoading)} tabindex="-1">
    ${
      view === "table"
        ? ""
        : html`<console-picture
            .picture=${{ item: answered.item, state: { ...answered, kind: "answer" } }}
            .theme=${theme}
            .onSort=${onSort}
            .onChoose=${onChoose}
          ></console-picture>`
    }
    ${
      view === "chart"
        ? ""
        : html`<console-table
            .label=${words.views.table}
            .columns=${answerColumns(answered)}
            .rows=${answered.rows}
            .height=${900}
          ></console-table>`
    }
  </div>`;
}
