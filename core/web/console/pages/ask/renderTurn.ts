import { html, nothing, type TemplateResult } from "lit";
import { errorState } from "../../parts/index.ts";
import type { Reply, ShownAnswer } from "./readAnswer.ts";
import { words } from "./words.ts";

/** A question of the reader, and the reply so far. */
export interface Turn {
  readonly question: string;
  readonly reply: Reply;
  readonly state: "asking" | "whole" | "stopped" | "failed";
  readonly failure?: unknown;
}

/** The state of a turn, and the actions of its buttons. */
export interface TurnParts {
  readonly isLast: boolean;
  /** Whether a question is being answered. */
  readonly isAsking: boolean;
  card(shown: ShownAnswer): TemplateResult;
  ask(question: string): void;
  stop(): void;
}

/** Renders a question with the answer so far: charts, text, choices, and the current state. */
export function renderTurn(turn: Turn, parts: TurnParts): TemplateResult {
  const { question, reply, state, failure } = turn;
  const choices = new Set(reply.choices.map((choice) => `- ${choice}`));
  const lines = reply.message.split("\n").filter((line) => line !== "" && !choices.has(line));
  return html`<p class="asked"><span class="visually-hidden">${words.you} </span>${question}</p>
    ${reply.answers.map(
      (answer) =>
        html`${parts.card(answer)}
        ${answer.isCut ? html`<p class="muted small">${words.cut}</p>` : nothing}`,
    )}
    ${lines.map((line) => html`<p>${line}</p>`)}
    ${reply.struckCount > 0 ? html`<p class="muted small">${words.struck(reply.struckCount)}</p>` : nothing}
    ${renderChoices(reply.choices, parts)}
    ${
      state === "asking"
        ? html`<p class="muted row" role="status">
            <span class="grow">${reply.answers.length > 0 ? words.writing : words.asking}…</span>
            <button class="button" @click=${() => parts.stop()}>${words.stop}</button>
          </p>`
        : nothing
    }
    ${state === "stopped" ? html`<p class="muted small" role="status">${words.stopped}</p>` : nothing}
    ${
      state === "failed"
        ? errorState(failure, parts.isLast ? () => parts.ask(question) : undefined)
        : nothing
    }`;
}

function renderChoices(
  choices: readonly string[],
  { isLast, isAsking, ask }: TurnParts,
): TemplateResult | typeof nothing {
  if (choices.length === 0) return nothing;
  return html`<div class="row wrap" role="group" aria-label=${words.choose}>
    ${choices.map(
      (choice) =>
        html`<button class="button" ?disabled=${!isLast || isAsking} @click=${() => ask(choice)}>
          ${choice}
        </button>`,
    )}
  </div>`;
}
