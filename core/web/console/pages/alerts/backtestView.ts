import { html, type TemplateResult } from "lit";
import { messageOf } from "../../api/index.ts";
import type { Backtest } from "./createBacktest.ts";
import { stateTimeline } from "./stateTimeline.ts";
import { words } from "./words.ts";

/** Shows the backtest of an alert: how often it would have sent a message, and its states. */
export function backtestView({ answer, failure }: Backtest): TemplateResult {
  if (failure !== undefined) return html`<p class="failure" role="alert">${messageOf(failure)}</p>`;
  if (!answer) return html`<p class="muted" role="status">${words.backtestRunning}</p>`;
  const { slots, slot_count: slotCount, notified_count: notifiedCount } = answer;
  return html`<div role="status">
      <p><strong>${words.backtestFired(notifiedCount, slotCount)}</strong></p>
      <p class="muted small">${words.backtestNote}</p>
    </div>
    ${
      slots.length === 0
        ? ""
        : stateTimeline(
            slots.map(({ slot_at: at, outcome, status_after: state, notices }) => ({
              at,
              state: outcome === "answered" ? state : "error",
              isSent: notices.length > 0,
            })),
          )
    }`;
}
