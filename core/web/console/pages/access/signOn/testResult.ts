import { html, nothing, type TemplateResult } from "lit";
import type { Tested } from "./signOnConfig.ts";
import { words } from "./words.ts";

const isEndpoint = (name: string): name is keyof typeof words.endpoints =>
  Object.hasOwn(words.endpoints, name);

/** Shows the result of testing a provider. */
export function testResult(tested: Tested): TemplateResult {
  const { outcome, problems, warnings } = tested;
  const isPassed = outcome === "passed";
  return html`<section class="surface access-card" aria-labelledby="test-title" role="status">
    <h2 id="test-title">
      <span class="badge ${isPassed ? "good" : "bad"}"
        >${isPassed ? words.passed : words.failed}</span
      >
    </h2>
    ${
      problems.length + warnings.length === 0
        ? nothing
        : html`<ul class="follows">
            ${[...problems, ...warnings].map((each) => html`<li>${each}</li>`)}
          </ul>`
    }
    ${
      isPassed
        ? html`<dl class="facts">
            ${Object.keys(words.endpoints)
              .filter(isEndpoint)
              .map(
                (name) =>
                  html`<dt>${words.endpoints[name]}</dt>
                    <dd class="wrap">${tested[name] ?? "–"}</dd>`,
              )}
          </dl>`
        : nothing
    }
  </section>`;
}
