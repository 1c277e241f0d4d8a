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
.mf-control {
  display: flex; flex-direction: column; gap: 8px; height: 100%; padding: 16px 16px 12px; overflow: hidden;
  border-radius: var(--manifold-radius, 6px); background: var(--mf-background); color: var(--mf-text);
}
.mf-control > h3 { margin: 0; font-size: 14px; font-weight: 600; line-height: 1.25; }
.mf-control input:not([type="checkbox"], [type="range"]), .mf-control select {
  min-width: 0; flex: 1; padding: 5px 8px; border: 1px solid var(--mf-axis); border-radius: 6px; font: inherit;
  background: var(--mf-background); color: var(--mf-text);
}
.mf-control :focus-visible { outline: 2px solid var(--mf-accent); outline-offset: 1px; }
.mf-control input[type="checkbox"] { accent-color: var(--mf-accent); margin: 0; width: 15px; height: 15px; flex: none; }
.mf-slider { position: relative; height: 24px; margin: 0 2px; flex: none; touch-action: pan-y; }
.mf-slider::before, .mf-slider-fill {
  content: ""; position: absolute; inset-block: 10px; inset-inline: 0; border-radius: 2px; background: var(--mf-grid);
}
.mf-slider-fill { background: var(--mf-accent); }
.mf-slider input {
  position: absolute; inset: 0; width: 100%; margin: 0; background: none; appearance: none; pointer-events: none;
}
.mf-slider input::-webkit-slider-thumb {
  appearance: none; width: 18px; height: 18px; border: 2px solid var(--mf-accent); border-radius: 50%;
  background: var(--mf-background); cursor: grab; pointer-events: auto;
}
.mf-slider input::-moz-range-thumb {
  width: 14px; height: 14px; border: 2px solid var(--mf-accent); border-radius: 50%;
  background: var(--mf-background); cursor: grab; pointer-events: auto;
}
.mf-control > .mf-apply { align-self: flex-end; flex: none; }
.mf-control .mf-apply:disabled { color: var(--mf-muted); cursor: default; }
.mf-control input[aria-invalid="true"] { border-color: var(--mf-negative, #c0392b); }
.mf-field {
  position: relative; flex: 1; min-width: 0; padding: 5px 28px 5px 8px; border: 1px solid var(--mf-axis); border-radius: 6px;
  background: var(--mf-background); color: var(--mf-text); font: inherit; text-align: start; cursor: pointer;
}
.mf-field > span { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.mf-field::after {
  content: ""; position: absolute; inset-inline-end: 11px; inset-block-start: calc(50% - 5px); width: 6px; height: 6px;
  border: solid var(--mf-muted); border-width: 0 1.5px 1.5px 0; transform: rotate(45deg);
}
.mf-field:disabled { color: var(--mf-muted); cursor: default; }
.mf-across { display: flex; flex-wrap: wrap; align-content: flex-start; }
.mf-pair { display: flex; flex-wrap: wrap; gap: 8px; }
.mf-pair label { display: flex; flex: 1 1 110px; min-width: 0; flex-direction: column; gap: 2px; color: var(--mf-muted); font-size: 12px; }
.mf-options { flex: 1; min-height: 0; margin: 0 -8px; overflow: auto; }
.mf-options label {
  display: flex; gap: 8px; align-items: center; min-height: 28px; padding: 2px 8px; border-radius: 4px; cursor: pointer;
  overflow-wrap: anywhere;
}
.mf-options label:hover { background: color-mix(in srgb, var(--mf-text) 5%, transparent); }
.mf-note:empty, .mf-note[hidden] { display: none; }
.mf-note { color: var(--mf-muted); font-size: 12px; }
.mf-frame-stage {
  position: absolute; z-index: 1; inset: 4px; overflow: auto; pointer-events: none; border-radius: var(--manifold-radius, 6px);
  display: flex; flex-direction: column; background: var(--mf-background);
}
.mf-single .mf-frame-stage { inset: 0; }
.mf-frame-stage[hidden] { display: none; }
.mf-frame-stage.mf-frame-none { background: none; }
.mf-frame-stage > .mf-title { margin: 12px 16px 0; }
.mf-frame { display: block; flex: 1 0 auto; width: 100%; min-height: 0; border: 0; pointer-events: auto; background: var(--mf-background); }
.mf-cell:has(> .mf-pickers) { display: flex; flex-direction: column; }
.mf-cell > .mf-pickers ~ .mf-view { flex: 1; min-height: 0; height: auto; border-start-start-radius: 0; border-start-end-radius: 0; }
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
.mf-media {
  position: absolute; inset: 4px; display: flex; flex-direction: column; overflow: hidden; background: var(--mf-background);
  border-radius: var(--manifold-radius, 6px); color: var(--mf-text);
}
.mf-single .mf-media { inset: 0; }
.mf-media[hidden] { display: none; }
.mf-media > .mf-title { margin: 16px 16px 8px; overflow-wrap: anywhere; }
.mf-media > .mf-title[hidden] { display: none; }
.mf-media-content { position: relative; flex: 1; min-height: 0; display: flex; overflow: hidden; }
.mf-media-content > iframe, .mf-media-content > video { width: 100%; height: 100%; border: 0; }
.mf-media-content > a { flex: 1; min-width: 0; min-height: 0; display: flex; }
.mf-media-content > a:focus-visible { outline: 2px solid var(--mf-accent); outline-offset: -2px; }
.mf-media img { width: 100%; height: 100%; object-fit: cover; }
.mf-media img[data-mode="noResize"] { object-fit: none; }
.mf-media img[data-mode="compress"] { object-fit: scale-down; }
.mf-media img[data-mode="fit"] { object-fit: contain; }
.mf-media img[data-mode="stretch"] { object-fit: fill; }
.mf-media img[data-mode="fitHorizontal"] { height: auto; align-self: var(--mf-place); }
.mf-media img[data-mode="fitVertical"] { width: auto; margin-inline: var(--mf-place); }
.mf-on-paper .mf-media img { print-color-adjust: exact; }
.mf-cell > .mf-frame-note { inset: auto 4px 4px; border-radius: var(--manifold-radius, 6px); }
.mf-single .mf-cell > .mf-frame-note { inset: auto 0 0; }
.mf-frame-note a { color: var(--mf-accent); }
.mf-frame-note {
  position: absolute; inset: auto 0 0; padding: 6px 18px 8px; background: var(--mf-background); color: var(--mf-muted);
  font-size: 12px;
}
`);
