import { lazySheet } from "./adoptStyles.ts";

/** The styles of pivot tables, which load with the first of them. */
export const pivotStyles = lazySheet(`
.mf-pivot { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; outline: none; contain: strict; }
.mf-pivot table {
  table-layout: fixed; border-collapse: separate; border-spacing: 0; font: inherit; color: inherit;
  font-variant-numeric: tabular-nums;
}
.mf-pivot thead { position: sticky; z-index: 2; inset-block-start: 0; background: var(--mf-background); }
.mf-pivot th, .mf-pivot td {
  height: var(--mf-row); padding: 0 10px; overflow: clip; white-space: nowrap; text-overflow: ellipsis;
  border: 0 solid var(--mf-line); text-align: end; font-weight: 400; unicode-bidi: isolate; vertical-align: middle;
}
.mf-pivot .mf-space { padding: 0; border: 0; height: auto; }
.mf-pivot.mf-row-lines :is(th, td):not(.mf-space) { border-block-end-width: var(--mf-line-width); }
.mf-pivot.mf-column-lines :is(th, td):not(.mf-space) { border-inline-end-width: var(--mf-line-width); }
.mf-pivot thead tr:not(.mf-totals) > * {
  color: var(--mf-head-text); background: var(--mf-head); font-size: 12px; font-weight: 600; height: 28px; padding: 0;
  vertical-align: bottom;
}
.mf-pivot thead tr:last-of-type > * { border-block-end: 1px solid var(--mf-axis); }
.mf-pivot th[scope="colgroup"], .mf-pivot .mf-names { text-align: start; }
.mf-pivot .mf-names { background: var(--mf-background); }
.mf-pivot.mf-held .mf-names { position: sticky; z-index: 1; inset-inline-start: var(--mf-left, 0); }
.mf-pivot.mf-held .mf-names-last { border-inline-end: 1px solid var(--mf-axis); }
.mf-pivot .mf-totals > * { font-weight: 600; background: var(--mf-background); }
.mf-pivot .mf-sum > * { font-weight: 600; }
.mf-pivot td.mf-sum { font-weight: 600; }
.mf-pivot .mf-missing { color: var(--mf-muted); }
.mf-pivot.mf-stripes tbody tr.mf-odd > * {
  background: color-mix(in srgb, var(--mf-grid) 45%, var(--mf-background));
}
.mf-pivot tbody tr:hover > :not([data-tone]) { background: color-mix(in srgb, var(--mf-text) 4%, var(--mf-background)); }
.mf-pivot td[data-row] { cursor: pointer; }
.mf-pivot.mf-chosen td[data-row]:not(.mf-kept) { opacity: 0.3; }
.mf-pivot.mf-wrapped tbody th > .mf-text {
  display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; max-width: calc(100% - 18px);
  overflow: hidden; white-space: normal; line-height: 1.3; vertical-align: middle;
}
.mf-pivot[data-heads="left"] thead th, .mf-pivot[data-names="left"] tbody th, .mf-pivot[data-values="left"] td { text-align: left; }
.mf-pivot[data-heads="center"] thead th, .mf-pivot[data-names="center"] tbody th, .mf-pivot[data-values="center"] td { text-align: center; }
.mf-pivot[data-heads="right"] thead th, .mf-pivot[data-names="right"] tbody th, .mf-pivot[data-values="right"] td { text-align: right; }
.mf-pivot button {
  padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: inherit; cursor: pointer;
}
.mf-pivot .mf-sort { max-width: 100%; height: 28px; padding: 0 10px; overflow: hidden; text-overflow: ellipsis; }
.mf-pivot .mf-fold { display: inline-block; position: relative; width: 18px; height: 20px; vertical-align: middle; }
.mf-pivot button.mf-fold::before {
  content: ""; position: absolute; inset: 6px auto auto 2px; width: 8px; height: 8px; background: currentColor;
  opacity: 0.7; clip-path: polygon(0 20%, 100% 20%, 50% 90%);
}
.mf-pivot button.mf-fold[aria-expanded="false"]::before { clip-path: polygon(20% 0, 90% 50%, 20% 100%); }
.mf-pivot:dir(rtl) button.mf-fold[aria-expanded="false"]::before { clip-path: polygon(80% 0, 10% 50%, 80% 100%); }
.mf-pivot thead .mf-fold { margin-inline-start: 8px; }
.mf-pivot .mf-fold + .mf-sort { padding-inline-start: 0; }
.mf-pivot .mf-lasting {
  position: sticky; inset-inline-start: var(--mf-held, 0px); display: inline-block; max-width: 100%; overflow: hidden;
  text-overflow: ellipsis; vertical-align: middle; line-height: 28px;
}
.mf-pivot .mf-lasting > .mf-text { padding-inline: 10px; }
.mf-pivot .mf-lasting > .mf-fold + .mf-text { padding-inline-start: 0; }
.mf-pivot :is(th, td):focus-visible { outline: 2px solid var(--mf-accent); outline-offset: -2px; }
.mf-pivot [data-tone="text"] { color: var(--mf-tone-text); }
.mf-pivot td[data-tone="background"] { background: var(--mf-tone); color: var(--mf-tone-text); }
.mf-pivot [data-tone="badge"] > span {
  padding: 1px 6px; border-radius: 9px; background: var(--mf-tone); color: var(--mf-tone-text);
}
.mf-pivot td.mf-bar { position: relative; }
.mf-printing-table .mf-pivot { overflow: visible; contain: none; }
.mf-printing-table .mf-pivot table { width: 100% !important; table-layout: auto; }
.mf-printing-table .mf-pivot :is(thead, .mf-names) { position: static; }
.mf-printing-table .mf-pivot :is(th, td) { white-space: normal; overflow-wrap: anywhere; }
`);
