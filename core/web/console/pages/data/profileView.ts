import { html, svg, type TemplateResult } from "lit";
import { writeNumber } from "../../language/index.ts";
import type { ColumnRow } from "./columnRow.ts";
import { cellWriter, type Bin, type Profile } from "../../questions/index.ts";
import { words } from "./words.ts";

const [width, height] = [400, 96];

/**
 * The distribution of a column: counts of rows, values and empty cells, and a histogram or the most frequent values.
 */
export function profileView(profile: Profile, column: ColumnRow): TemplateResult {
  const { rows, empty, distinct, least, most, bins, top } = profile;
  const write = cellWriter(column);
  const facts: readonly (readonly [string, string])[] = [
    [words.rows, writeNumber(rows)],
    [words.distinct, writeNumber(distinct)],
    [words.empties, empty === 0 ? "0" : words.ofAll(writeNumber(empty), empty / rows)],
    ...(least === null ? [] : [[words.least, write(least)] as const]),
    ...(most === null ? [] : [[words.most, write(most)] as const]),
  ];
  return html`<dl class="facts">
      ${facts.map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd class=${value.length > 12 ? "small-fact" : ""}>${value}</dd>
          </div>`,
      )}
    </dl>
    ${bins.length > 0 ? histogram(bins, write, column.type === "datetime") : ""}
    ${top.length > 0 ? topValues(top) : ""}`;
}

/** Draws the bins as columns along their range. Bins without rows are gaps. */
function histogram(
  bins: readonly Bin[],
  write: (value: unknown) => string,
  isTime: boolean,
): TemplateResult {
  const named = (at: number) => write(isTime ? new Date(at).toISOString() : at);
  const from = Math.min(...bins.map((bin) => bin.from));
  const to = Math.max(...bins.map((bin) => bin.to));
  const largest = bins.reduce((one, other) => (other.count > one.count ? other : one));
  const place = (at: number) => (to === from ? width / 2 : ((at - from) / (to - from)) * width);
  return html`<h3>${words.distribution}</h3>
    <div>
      <svg
        class="histogram"
        viewBox="0 0 ${width} ${height}"
        preserveAspectRatio="none"
        role="img"
        aria-label=${words.histogram(named(from), named(to), named(largest.from), writeNumber(largest.count))}
      >
        ${bins.map((bin) => {
          const x = place(bin.from) - (to === from ? 20 : 0);
          const wide = to === from ? 40 : Math.max(1, place(bin.to) - place(bin.from) - 1);
          const high = Math.max(1, (bin.count / largest.count) * height);
          return svg`<rect x=${x} y=${height - high} width=${wide} height=${high}>
            <title>${words.inBin(named(bin.from), writeNumber(bin.count))}</title>
          </rect>`;
        })}
      </svg>
      <div class="row muted small histogram-ends">
        <span class="grow">${named(from)}</span><span>${to === from ? "" : named(to)}</span>
      </div>
    </div>`;
}

function topValues(top: Profile["top"]): TemplateResult {
  const largest = Math.max(1, ...top.map(({ count }) => count));
  return html`<h3>${words.top}</h3>
    <div class="profile-bars">
      ${top.map(
        ({ value, count }) =>
          html`<span class="truncate" title=${value ?? words.emptyValue}
              >${value ?? words.emptyValue}</span
            >
            <span class="bar" .style=${`width: ${Math.max(1, (100 * count) / largest)}%`}></span>
            <span>${writeNumber(count)}</span>`,
      )}
    </div>`;
}
