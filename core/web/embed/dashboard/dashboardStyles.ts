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
.mf-dashboard * { box-sizing: border-box; }
.mf-dashboard.mf-single { padding: 0; height: 100%; min-height: 0; background: none; }
.mf-cells { display: grid; grid-template-columns: repeat(48, minmax(0, 1fr)); grid-auto-rows: 16px; }
.mf-single > .mf-cells { display: block; height: 100%; }
.mf-cell { position: relative; padding: 4px; min-width: 0; min-height: 0; }
.mf-single .mf-cell { padding: 0; height: 100%; }
.mf-stacked > .mf-cells { display: flex; flex-direction: column; }
.mf-chips { display: flex; flex-wrap: wrap; gap: 6px; padding: 4px 4px 8px; }
.mf-chips[hidden] { display: none; }
.mf-chip {
  max-width: 100%; padding: 3px 10px; border: 1px solid var(--mf-grid); border-radius: 13px; overflow: hidden;
  background: var(--mf-background); color: var(--mf-text); font: inherit; font-size: 12px; text-overflow: ellipsis;
  white-space: nowrap; cursor: pointer;
}
.mf-chip:hover { border-color: var(--mf-muted); }
.mf-chip:focus-visible { outline: 2px solid var(--mf-accent); outline-offset: 1px; }
.mf-problem { padding: 48px 16px; text-align: center; color: var(--mf-muted); overflow-wrap: anywhere; }
.mf-problem strong { display: block; color: var(--mf-text); }
.mf-problem button { margin-top: 12px; }
.mf-control {
  display: flex; flex-direction: column; gap: 8px; height: 100%; padding: 12px 16px; overflow: hidden;
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
.mf-pair { display: flex; flex-wrap: wrap; gap: 8px; }
.mf-pair label { display: flex; flex: 1 1 110px; min-width: 0; flex-direction: column; gap: 2px; color: var(--mf-muted); font-size: 12px; }
.mf-options { flex: 1; min-height: 0; margin: 0 -8px; overflow: auto; }
.mf-options label {
  display: flex; gap: 8px; align-items: center; min-height: 28px; padding: 2px 8px; border-radius: 4px; cursor: pointer;
  overflow-wrap: anywhere;
}
.mf-options label:hover { background: color-mix(in srgb, var(--mf-text) 5%, transparent); }
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
.mf-frame-note {
  position: absolute; inset: auto 0 0; padding: 6px 18px 8px; background: var(--mf-background); color: var(--mf-muted);
  font-size: 12px;
}
`);
