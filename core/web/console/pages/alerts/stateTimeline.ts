import { html, type TemplateResult } from "lit";
import { writeDay, writeFullInstant, writeNumber } from "../../language/index.ts";
import { questionWords } from "../../questions/index.ts";
import { badgeOf } from "./alertRecord.ts";
import { words } from "./words.ts";

/** One evaluation on a timeline. */
export interface TimedState {
  readonly at: string;
  readonly state: string;
  /** Whether the evaluation sent a message. */
  readonly isSent: boolean;
}

const stateWords: Readonly<Record<string, string>> = words.states;
const nameOf = (state: string): string => stateWords[state] ?? state;

/**
 * Draws one bar per evaluation, oldest first. Evaluations that sent a message have tall bars. Dates are below the bars,
 * and counts are next to them.
 */
export function stateTimeline(states: readonly TimedState[]): TemplateResult {
  const counts = new Map<string, number>();
  for (const { state } of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  const sentCount = states.filter(({ isSent }) => isSent).length;
  const marks = [0, 1, 2, 3].map((each) => states[Math.round(((states.length - 1) * each) / 3)]);
  return html`<figure class="timeline surface">
    <div class="timeline-scroll" role="img" aria-label=${words.timeline} tabindex="0">
      <div class="timeline-bars">
        ${states.map(
          ({ at, state, isSent }) =>
            html`<span
              class="bar-${badgeOf(state)} ${isSent ? "sent" : ""}"
              title=${questionWords.labelled(writeFullInstant(at), nameOf(state))}
            ></span>`,
        )}
      </div>
      <div class="timeline-days muted small">
        ${[...new Set(marks)].map((each) => html`<span>${each ? writeDay(each.at) : ""}</span>`)}
      </div>
    </div>
    <figcaption class="row small">
      ${[...counts].map(
        ([state, count]) =>
          html`<span class="row key"
            ><i class="bar-${badgeOf(state)}"></i
            >${words.stateCount(nameOf(state), writeNumber(count))}</span
          >`,
      )}
      <span class="muted">${words.sentCount(sentCount)}</span>
    </figcaption>
  </figure>`;
}
