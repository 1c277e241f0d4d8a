import { lazySheet } from "../view/index.ts";

/** The styles of filter items. */
export const controlStyles = lazySheet(`
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
`);
