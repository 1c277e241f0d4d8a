import { lazySheet } from "../view/index.ts";

/** The styles of the panels that controls open. */
export const panelStyles = lazySheet(`
.mf-panel {
  position: fixed; inset: auto; margin: 0; padding: 8px; max-width: calc(100vw - 16px); max-height: calc(100vh - 16px);
  overflow: auto; border: 1px solid var(--mf-grid); border-radius: 6px; background: var(--mf-background);
  color: var(--mf-text); font: 13px/1.45 var(--manifold-font, "IBM Plex Sans", system-ui, sans-serif);
  box-shadow: 0 1px 2px rgb(0 0 0 / 0.16), 0 6px 20px rgb(0 0 0 / 0.16);
}
.mf-panel [hidden], .mf-panel .mf-note:empty { display: none; }
.mf-panel:not(.mf-dates) { min-width: 180px; max-width: min(420px, calc(100vw - 16px)); }
.mf-panel input[role="combobox"] { width: 100%; margin-bottom: 6px; }
.mf-panel > .mf-note { padding: 6px 8px 2px; }
.mf-choices { max-height: 280px; overflow: auto; outline: none; }
.mf-choices > [role="option"] {
  position: relative; min-height: 30px; padding: 4px 8px 4px 28px; border-radius: 4px; cursor: pointer; overflow-wrap: anywhere;
}
[dir="rtl"] .mf-choices > [role="option"] { padding: 4px 28px 4px 8px; }
.mf-choices > [aria-selected="true"]::before {
  content: "✓"; position: absolute; inset-inline-start: 9px; color: var(--mf-accent);
}
.mf-choices > .mf-active, .mf-choices > [role="option"]:hover { background: color-mix(in srgb, var(--mf-text) 8%, transparent); }
.mf-choices:focus-visible > .mf-active, input:focus-visible ~ .mf-choices > .mf-active { outline: 2px solid var(--mf-accent); outline-offset: -2px; }
.mf-dates { width: min(540px, calc(100vw - 16px)); }
.mf-dates-parts { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: flex-start; }
.mf-ranges { display: flex; flex-direction: column; gap: 8px; flex: 1 1 200px; min-width: 0; }
.mf-range-list { display: flex; flex-direction: column; max-height: 288px; overflow: auto; }
.mf-range-list > button {
  flex: none; min-height: 28px; padding: 3px 10px; border: 0; border-radius: 4px; background: none; color: inherit; font: inherit;
  text-align: start; cursor: pointer;
}
.mf-range-list > button:hover { background: color-mix(in srgb, var(--mf-text) 8%, transparent); }
.mf-range-list > [aria-pressed="true"] { background: color-mix(in srgb, var(--mf-accent) 16%, transparent); font-weight: 600; }
.mf-last { display: flex; flex-direction: column; gap: 4px; padding: 8px 10px 0; border-top: 1px solid var(--mf-grid); font-size: 12px; }
.mf-last select { min-width: 0; flex: 1; }
.mf-last > div { display: flex; gap: 6px; align-items: center; }
.mf-last input[type="number"] { width: 64px; flex: none; }
.mf-last label { display: flex; gap: 6px; align-items: center; }
.mf-custom { display: flex; flex-direction: column; gap: 8px; flex: 1 1 240px; min-width: 0; }
.mf-calendar-head { display: flex; align-items: center; justify-content: space-between; gap: 8px; }
.mf-calendar-head > button { min-width: 32px; min-height: 28px; font-size: 15px; line-height: 1; }
[dir="rtl"] .mf-calendar-head > button { transform: scaleX(-1); }
.mf-month { font-weight: 600; }
.mf-calendar table { width: 100%; margin-top: 4px; border-collapse: collapse; table-layout: fixed; text-align: center; }
.mf-calendar th { padding: 4px 0; color: var(--mf-muted); font-size: 12px; font-weight: 400; }
.mf-calendar td { height: 32px; padding: 0; cursor: pointer; font-variant-numeric: tabular-nums; }
.mf-calendar td:hover { background: color-mix(in srgb, var(--mf-text) 8%, transparent); }
.mf-calendar td[aria-selected="true"] { background: color-mix(in srgb, var(--mf-accent) 16%, transparent); }
.mf-calendar td.mf-end { font-weight: 600; box-shadow: inset 0 0 0 2px var(--mf-accent); }
.mf-calendar td[aria-current="date"] { text-decoration: underline; text-underline-offset: 3px; }
.mf-calendar td.mf-outside { color: var(--mf-muted); }
.mf-compare, .mf-compare > label { display: flex; flex-wrap: wrap; gap: 4px 8px; align-items: center; }
.mf-compare > label[hidden] { display: none; }
.mf-compare .mf-note { width: 100%; }
.mf-compare { margin-top: 8px; padding-top: 8px; border-top: 1px solid var(--mf-grid); }
@media (forced-colors: active) { .mf-calendar td.mf-end, .mf-calendar td[aria-selected="true"] { outline: 2px solid; outline-offset: -2px; } }
`);
