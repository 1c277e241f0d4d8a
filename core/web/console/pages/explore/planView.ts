import { html, type TemplateResult } from "lit";
import { writeNumber } from "../../language/index.ts";
import type { AnsweredItem, Explanation } from "../../pictures/index.ts";
import { words } from "./words.ts";

export interface PlanOptions {
  readonly answered: AnsweredItem;
  /** Returns the name of a column by its id. */
  nameOfColumn(id: string | undefined): string;
}

const said = words.plan;
const origins: Readonly<Record<string, string>> = said.origins;
const phases = ["validating", "preparing", "queuing", "querying", "processing"] as const;

/**
 * Shows how a query was answered: what the source and the host computed, each filter with its origin, and the timings.
 */
export function planView({ answered, nameOfColumn }: PlanOptions): TemplateResult {
  const { answer } = answered;
  const { explain, performance: spent } = answer;
  if (!explain) return html``;
  return html`<div class="plan">
    <section>
      <h2>${said.sources}</h2>
      <p>
        ${explain.datasets.map(
          ({ plugin, live }) =>
            html`<span class="badge">${plugin}</span>
              <span class="muted">${live ? said.live : said.stored}</span> `,
        )}
      </p>
    </section>
    <section>
      <h2>${said.filters}</h2>
      ${filtersOf(explain, nameOfColumn)}
    </section>
    <section>
      <h2>${said.clauses}</h2>
      <table class="plain">
        <thead>
          <tr>
            <th>${said.clause}</th>
            <th>${said.where}</th>
            <th>${said.why}</th>
          </tr>
        </thead>
        <tbody>
          ${explain.steps.map(
            ({ clause, pushed, reason }) =>
              html`<tr>
                <td>${clause}</td>
                <td>
                  <span class="badge ${pushed ? "good" : "warn"}"
                    >${pushed ? said.bySource : said.byHost}</span
                  >
                </td>
                <td class="muted">${reason ?? "–"}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
    <section>
      <h2>${said.calls}</h2>
      <table class="plain">
        <thead>
          <tr>
            <th>${said.sources}</th>
            <th>${said.clauses}</th>
            <th class="right">${said.rows}</th>
            <th class="right">${said.milliseconds}</th>
          </tr>
        </thead>
        <tbody>
          ${explain.parts.map(
            ({ plugin, clauses, rows, milliseconds }) =>
              html`<tr>
                <td>${plugin}</td>
                <td>${clauses.join(", ")}</td>
                <td class="right">${rows === null ? "–" : writeNumber(rows)}</td>
                <td class="right">${writeNumber(milliseconds)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
    <section>
      <h2>${said.times}</h2>
      <dl class="times">
        ${phases.map(
          (phase) =>
            html`<div>
              <dt>${said.phases[phase]}</dt>
              <dd>${writeNumber(spent[phase])} ms</dd>
            </div>`,
        )}
        <div>
          <dt>${said.cache}</dt>
          <dd>${explain.cache.state}</dd>
        </div>
        <div>
          <dt>${words.status.seen}</dt>
          <dd>${writeNumber(answered.elapsedMs)} ms</dd>
        </div>
      </dl>
    </section>
  </div>`;
}

function filtersOf(
  { filters, pushdown }: Explanation,
  nameOfColumn: PlanOptions["nameOfColumn"],
): TemplateResult {
  if (filters.length === 0) return html`<p class="muted">${said.noFilters}</p>`;
  /** Returns the pushed filter with the given column and operator. */
  const pushedOf = (columnId: string | undefined, expression: string | undefined) =>
    pushdown.find(({ tests = [] }) =>
      tests.some((test) => test.column_id === columnId && test.expression === expression),
    );
  return html`<table class="plain">
    <thead>
      <tr>
        <th>${said.filter}</th>
        <th>${said.origin}</th>
        <th>${said.where}</th>
        <th>${said.why}</th>
      </tr>
    </thead>
    <tbody>
      ${filters.map(({ origin, column_id: columnId, expression }) => {
        const pushed = pushedOf(columnId, expression);
        return html`<tr>
          <td>
            ${columnId === undefined ? said.hidden : nameOfColumn(columnId)} ${expression ?? ""}
          </td>
          <td>${origins[origin] ?? origin}</td>
          <td>${pushed ? said.pushdown[pushed.pushdown] : "–"}</td>
          <td class="muted">${pushed?.reason ?? "–"}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}
