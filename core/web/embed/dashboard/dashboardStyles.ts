import { lazySheet } from "../view/index.ts";

/** The styles of dashboards and of the controls around items. */
export const dashboardStyles = lazySheet(`
:host { display: block; contain: content; }
:host(manifold-item) { height: 320px; }
:host([hidden]) { display: none; }
.mf-dashboard {
  display: block; box-sizing: border-box; padding: 4px; min-height: 120px; background: var(--mf-page);
  color: var(--mf-text); font: 13px/1.45 var(--manifold-font, "IBM Plex Sans", system-ui, sans-serif);
}
.mf-dashboard { direction: ltr; --mf-direction: ltr; }
.mf-dashboard[dir="rtl"] { direction: rtl; --mf-direction: rtl; }
.mf-dashboard * { box-sizing: border-box; }
.mf-dashboard.mf-single { padding: 0; height: 100%; min-height: 0; background: none; }
.mf-cells { direction: ltr; display: grid; grid-template-columns: repeat(48, minmax(0, 1fr)); grid-auto-rows: 16px; }
.mf-single > .mf-cells { display: block; height: 100%; }
.mf-cell { direction: var(--mf-direction); position: relative; padding: 4px; min-width: 0; min-height: 0; }
.mf-single .mf-cell { padding: 0; height: 100%; }
.mf-stacked > .mf-cells { display: flex; flex-direction: column; }
.mf-bar { display: flex; flex-wrap: wrap; justify-content: end; gap: 0 6px; }
.mf-bar > .mf-button, .mf-bar > ::slotted(*) { margin: 4px 4px 8px; }
.mf-chips { display: flex; flex-wrap: wrap; gap: 6px; padding: 4px 4px 8px; }
.mf-chips[hidden] { display: none; }
.mf-chip, .mf-clear {
  max-width: 100%; padding: 3px 10px; border: 1px solid var(--mf-grid); border-radius: 13px; overflow: hidden;
  background: var(--mf-background); color: var(--mf-text); font: inherit; font-size: 12px; text-overflow: ellipsis;
  white-space: nowrap; cursor: pointer; unicode-bidi: plaintext;
}
.mf-chips > .mf-note { align-self: center; overflow-wrap: anywhere; }
.mf-clear { border-color: transparent; background: none; text-decoration: underline; text-underline-offset: 2px; }
.mf-clear[hidden] { display: none; }
.mf-chip:hover { border-color: var(--mf-muted); }
.mf-chip:focus-visible, .mf-clear:focus-visible { outline: 2px solid var(--mf-accent); outline-offset: 1px; }
.mf-on-paper > .mf-cells { display: block; }
.mf-on-paper .mf-cell {
  display: inline-block; vertical-align: top; width: calc(var(--mf-span, 48) * 100% / 48 - 0.1px); height: var(--mf-height);
  min-height: 0 !important; break-inside: avoid;
}
.mf-on-paper.mf-stacked .mf-cell { width: 100%; }
.mf-on-paper .mf-cell:has(.mf-printing-table) { display: block; width: auto; height: auto; break-inside: auto; }
.mf-on-paper .mf-cell:has(> .mf-control), .mf-on-paper .mf-bar, .mf-on-paper .mf-tools { display: none; }
.mf-on-paper.mf-single, .mf-on-paper.mf-single > .mf-cells { height: auto; }
@media print {
  :host { height: auto !important; contain: none; }
  .mf-dashboard { min-height: 0; background: none; }
}
.mf-cells:has(> .mf-problem) { display: block; }
.mf-problem { padding: 32px 16px; text-align: center; color: var(--mf-muted); overflow-wrap: anywhere; }
.mf-problem strong { display: block; color: var(--mf-text); }
.mf-problem button { margin-top: 12px; }
.mf-note:empty, .mf-note[hidden] { display: none; }
.mf-note { color: var(--mf-muted); font-size: 12px; }
.mf-dashboard:not(.mf-on-paper) .mf-cell:has(> .mf-pickers) { display: flex; flex-direction: column; }
.mf-dashboard:not(.mf-on-paper) .mf-pickers ~ .mf-view { flex: 1; min-height: 0; height: auto; border-start-start-radius: 0; border-start-end-radius: 0; }
.mf-pickers {
  display: flex; flex-wrap: wrap; gap: 4px 12px; min-height: 40px; padding-block: 12px 0; padding-inline: 16px 96px; border-radius: var(--manifold-radius, 6px) var(--manifold-radius, 6px) 0 0;
  background: var(--mf-background); color: var(--mf-muted); font-size: 12px;
}
.mf-pickers label { display: flex; align-items: center; gap: 6px; min-width: 0; max-width: 100%; }
.mf-pickers select {
  min-width: 0; max-width: 100%; min-height: 28px; padding: 3px 6px; border: 1px solid var(--mf-axis); border-radius: 6px;
  background: var(--mf-background); color: var(--mf-text); font: inherit;
}
.mf-pickers select:focus-visible { outline: 2px solid var(--mf-accent); outline-offset: 1px; }
.mf-on-paper .mf-pickers { display: none; }
.mf-ground { width: 100%; height: 100%; }
.mf-covered { visibility: hidden; }
.mf-cell > .mf-frame-note { inset: auto 4px 4px; border-radius: var(--manifold-radius, 6px); }
.mf-single .mf-cell > .mf-frame-note { inset: auto 0 0; }
.mf-frame-note a { color: var(--mf-accent); }
.mf-frame-note {
  position: absolute; inset: auto 0 0; padding: 6px 18px 8px; background: var(--mf-background); color: var(--mf-muted);
  font-size: 12px;
}
`);
