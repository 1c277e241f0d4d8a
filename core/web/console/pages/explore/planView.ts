import { html, svg, type TemplateResult } from "lit";
import { counted, writeNumber } from "../../language/index.ts";
import type { AnsweredItem, Explanation } from "../../pictures/index.ts";
import { describeFilter, type Question } from "../../questions/index.ts";
import { words } from "./words.ts";

export interface PlanOptions {
  readonly answered: AnsweredItem;
  readonly question: Question;
  /** Returns the name of a column by its id. */
  nameOfColumn(id: string | undefined): string;
}

const said = words.plan;
const origins: Readonly<Record<string, string>> = said.origins;
const clauses: Readonly<Record<string, string>> = said.clauses;
const cacheStates: Readonly<Record<string, string>> = said.cacheStates;
const phases = ["validating", "preparing", "queuing", "querying", "processing"] as const;

/** One step of a plan. */
interface Step {
  readonly title: string;
  readonly detail?: string | undefined;
  /** Who carries out the step; undefined for the source itself and for the result. */
  readonly by?: "source" | "host" | "both";
}

/**
 * Shows how a query was answered, as steps from the source to the rows: each filter with its origin, and whether the
 * source or the host carries out a step and why. Below, a bar shows in which phase the time was spent.
 */
export function planView(options: PlanOptions): TemplateResult {
  const { answered } = options;
  const { explain } = answered.answer;
  if (!explain) return html``;
  return html`<div class="plan">
    <section>
      <h2>${said.title}</h2>
      <ol class="plan-steps">
        ${stepsOf(options, explain).map(
          ({ title, detail, by }) =>
            html`<li>
              <span class="grow">
                <strong>${title}</strong>
                ${detail ? html`<span class="muted small">${detail}</span>` : ""}
              </span>
              ${
                by
                  ? html`<span class="badge ${by === "source" ? "good" : "warn"}"
                      >${said.by[by]}</span
                    >`
                  : ""
              }
            </li>`,
        )}
      </ol>
    </section>
    <section>
      <h2>${said.times}</h2>
      ${timesOf(answered)}
    </section>
  </div>`;
}

function stepsOf({ answered, question, nameOfColumn }: PlanOptions, explain: Explanation): Step[] {
  const sources = explain.datasets.map(({ plugin, live }): Step => {
    const calls = explain.parts.filter((part) => part.plugin === plugin);
    const detail = calls.map(({ rows, milliseconds }) =>
      said.call(rows === null ? "" : counted(rows, said.row, said.rows), writeNumber(milliseconds)),
    );
    return { title: `${plugin}, ${live ? said.live : said.stored}`, detail: detail.join("; ") };
  });
  const seen = new Set<string>();
  const uniqueSources = sources.filter(({ title }) => !seen.has(title) && seen.add(title));
  const others = explain.steps.filter(({ clause }) => clause !== "filters" && clause !== "columns");
  return [
    ...uniqueSources,
    ...filterSteps(explain, question, nameOfColumn),
    ...others.map(({ clause, pushed, reason }): Step => ({
      title: clauses[clause] ?? clause,
      detail: reason,
      by: pushed ? "source" : "host",
    })),
    { title: counted(answered.rows.length, said.row, said.rows), detail: said.result },
  ];
}

/** Returns a step for each filter. The values of filters of a policy are not shown. */
function filterSteps(
  { filters, pushdown }: Explanation,
  question: Question,
  nameOfColumn: PlanOptions["nameOfColumn"],
): Step[] {
  const own = [...question.filters];
  return filters.map(({ origin, column_id: columnId, expression }): Step => {
    const pushed = pushdown.find(({ tests = [] }) =>
      tests.some((test) => test.column_id === columnId && test.expression === expression),
    );
    const at = origin === "question" ? own.findIndex(({ id }) => id === columnId) : -1;
    const [filter] = at < 0 ? [] : own.splice(at, 1);
    const name = columnId === undefined ? said.hidden : nameOfColumn(columnId);
    const from = origins[origin] ?? origin;
    return {
      title: filter ? describeFilter(filter, name) : said.limited(name),
      detail: pushed?.reason ? `${said.from(from)} ${pushed.reason}` : said.from(from),
      ...(pushed && { by: said.pushedBy[pushed.pushdown] }),
    };
  });
}

/** Draws the phases of a query as one bar, with the milliseconds of each phase below. */
function timesOf({ answer, elapsedMs }: AnsweredItem): TemplateResult {
  const { performance: spent, explain } = answer;
  const total = phases.reduce((sum, phase) => sum + spent[phase], 0);
  let from = 0;
  const parts = phases.map((phase) => {
    const width = total === 0 ? 0 : (spent[phase] / total) * 100;
    const x = from;
    from += width;
    return svg`<rect class="phase-${phase}" x=${x} y="0" width=${width} height="10"></rect>`;
  });
  return html`<svg
      class="plan-times"
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      role="img"
      aria-label=${said.times}
    >
      ${parts}
    </svg>
    <dl class="times">
      ${phases.map(
        (phase) =>
          html`<div>
            <dt>
              <span class="phase phase-${phase}" aria-hidden="true"></span>${said.phases[phase]}
            </dt>
            <dd>${writeNumber(spent[phase])} ms</dd>
          </div>`,
      )}
      <div>
        <dt>${said.cache}</dt>
        <dd>${cacheStates[explain?.cache.state ?? ""] ?? explain?.cache.state ?? "–"}</dd>
      </div>
      <div>
        <dt>${words.status.seen}</dt>
        <dd>${writeNumber(elapsedMs)} ms</dd>
      </div>
    </dl>`;
}
