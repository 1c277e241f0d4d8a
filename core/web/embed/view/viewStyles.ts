import { lazySheet } from "./adoptStyles.ts";

/** The styles of item views. Class names begin with `mf-`, because a view may be in another site's document. */
export const viewStyles = lazySheet(`
.mf-view {
  position: relative; box-sizing: border-box; width: 100%; height: 100%; min-width: 0; overflow: hidden; contain: strict;
  border-radius: var(--manifold-radius, 6px); background: var(--mf-background); color: var(--mf-text);
  font: 13px/1.45 var(--manifold-font, "IBM Plex Sans", system-ui, sans-serif);
  font-variant-numeric: tabular-nums; text-align: start;
}
.mf-view *, .mf-view *::before { box-sizing: border-box; }
.mf-plot { position: absolute; inset: 0; border-radius: inherit; outline: none; }
.mf-plot svg, .mf-plot canvas { display: block; position: absolute; inset: 0; }
.mf-plot:focus-visible { box-shadow: inset 0 0 0 2px var(--mf-accent); }
.mf-plot svg [data-mark] { transition: opacity 120ms ease-out; }
.mf-plot svg.mf-focused [data-mark]:not(.mf-active) { opacity: 0.3; }
.mf-plot svg.mf-chosen [data-mark]:not(.mf-kept) { opacity: 0.3; }
.mf-plot svg .mf-active { opacity: 1; }
.mf-plot.mf-brushing svg [data-mark] { transition: none; }
.mf-plot.mf-selectable svg [data-mark] { cursor: pointer; }
.mf-crosshair { stroke: var(--mf-axis); stroke-width: 1; pointer-events: none; }
.mf-dot { stroke: var(--mf-background); stroke-width: 2; pointer-events: none; }
.mf-brush { fill: var(--mf-accent); fill-opacity: 0.14; stroke: var(--mf-accent); pointer-events: none; }
.mf-tip {
  position: absolute; z-index: 3; max-width: 280px; padding: 8px 10px; pointer-events: none; overflow-wrap: anywhere;
  border-radius: 6px; background: var(--mf-raised); color: var(--mf-text); font-size: 12px;
  box-shadow: 0 1px 2px rgb(0 0 0 / 0.16), 0 6px 20px rgb(0 0 0 / 0.16);
}
.mf-tip[hidden] { display: none; }
.mf-tip-title { font-weight: 600; }
.mf-tip-row { display: flex; gap: 8px; align-items: baseline; }
.mf-tip-row > span:nth-child(2) { flex: 1; color: var(--mf-muted); }
.mf-tip-row.mf-active > span:nth-child(2) { color: var(--mf-text); font-weight: 600; }
.mf-swatch { flex: none; width: 10px; height: 10px; border-radius: 2px; }
.mf-series {
  position: absolute; padding: 0; border: 0; border-radius: 4px; background: transparent; color: transparent;
  cursor: pointer; overflow: hidden; font-size: 12px;
}
.mf-series:hover { background: color-mix(in srgb, var(--mf-text) 8%, transparent); }
.mf-button {
  padding: 4px 10px; border: 1px solid var(--mf-grid); border-radius: 6px; background: var(--mf-background);
  color: var(--mf-text); font: inherit; font-size: 12px; cursor: pointer;
}
.mf-button:hover { background: color-mix(in srgb, var(--mf-text) 6%, var(--mf-background)); }
.mf-view :focus-visible:not(.mf-plot) { outline: 2px solid var(--mf-accent); outline-offset: -2px; }
.mf-tools {
  position: absolute; z-index: 2; inset-block-start: 6px; inset-inline-end: 6px; display: flex; gap: 4px; opacity: 0;
}
.mf-view:hover > .mf-tools, .mf-tools:focus-within { opacity: 1; }
@media (hover: none) { .mf-tools { opacity: 1; } }
.mf-state {
  position: absolute; inset: 0; display: flex; flex-direction: column; gap: 8px; align-items: center;
  justify-content: center; padding: 16px; text-align: center; color: var(--mf-muted); overflow: auto;
}
.mf-state strong { color: var(--mf-text); font-weight: 600; max-width: 60ch; overflow-wrap: anywhere; }
.mf-state code { font: inherit; font-size: 12px; color: var(--mf-text); user-select: all; overflow-wrap: anywhere; }
.mf-bones { position: absolute; inset: 16px; animation: mf-appear 1ms 150ms both; }
.mf-bones > span { position: absolute; border-radius: 4px; background: var(--mf-grid); }
.mf-bones > span:nth-child(1) { inset: 0 55% auto 0; height: 14px; }
.mf-bones > span:nth-child(2) { inset: 40px 80% 0 0; }
.mf-bones > span:nth-child(3) { inset: 35% 53% 0 27%; }
.mf-bones > span:nth-child(4) { inset: 55% 26% 0 54%; }
.mf-bones > span:nth-child(5) { inset: 68% 0 0 81%; }
.mf-busy {
  position: absolute; z-index: 2; inset: 0 0 auto; height: 2px; background: var(--mf-accent);
  animation: mf-appear 1ms 300ms both;
}
@keyframes mf-appear { from { visibility: hidden; } to { visibility: visible; } }
.mf-said { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.mf-titled { position: absolute; inset: 0; display: flex; flex-direction: column; padding: 12px 8px 8px; }
.mf-title { margin: 0 8px 8px; padding-inline-end: 96px; font-size: 16px; font-weight: 600; line-height: 1.25; }
.mf-view.mf-narrow .mf-title { font-size: 14px; }
.mf-grid { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; outline: none; contain: strict; }
.mf-grid-head {
  position: sticky; z-index: 1; inset-block-start: 0; width: var(--mf-width); background: var(--mf-background);
}
.mf-grid-body { position: relative; contain: layout style; }
.mf-row { display: grid; grid-template-columns: var(--mf-columns); width: var(--mf-width); }
.mf-grid-body > .mf-row { position: absolute; inset-block-start: 0; height: 28px; contain: strict; will-change: transform; }
.mf-row > div {
  position: relative; height: 28px; padding: 4px 10px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
  border-bottom: 1px solid var(--mf-grid); unicode-bidi: isolate;
}
.mf-grid-body > .mf-row:hover > div { background: color-mix(in srgb, var(--mf-text) 4%, transparent); }
.mf-row > .mf-number { text-align: right; }
.mf-row > .mf-missing { color: var(--mf-muted); }
.mf-grid-head .mf-row > div { padding: 0; border-color: var(--mf-axis); }
.mf-grid-head button {
  width: 100%; height: 100%; padding: 4px 10px; border: 0; background: none; color: var(--mf-muted); font: inherit;
  font-size: 12px; font-weight: 600; text-align: inherit; overflow: hidden; text-overflow: ellipsis; cursor: pointer;
}
.mf-grid-head [aria-sort] button { color: var(--mf-text); }
.mf-grid-head .mf-totals > div { padding: 4px 10px; font-weight: 600; }
.mf-pinned .mf-row > .mf-pin {
  position: sticky; z-index: 1; inset-inline-start: var(--mf-left, 0); background: var(--mf-background);
}
.mf-pinned .mf-row > .mf-pin-last { border-inline-end: 1px solid var(--mf-axis); }
.mf-pinned .mf-grid-body > .mf-row:hover > .mf-pin {
  background: color-mix(in srgb, var(--mf-text) 4%, var(--mf-background));
}
.mf-row > [data-tone="text"] { color: var(--mf-tone-text); }
.mf-grid .mf-grid-body > .mf-row > div[data-tone="background"] {
  background: var(--mf-tone); color: var(--mf-tone-text);
}
.mf-row > [data-tone="badge"] > span {
  padding: 1px 6px; border-radius: 9px; background: var(--mf-tone); color: var(--mf-tone-text);
}
.mf-bar::before {
  content: ""; position: absolute; inset: 4px auto 4px 4px; width: calc((100% - 8px) * var(--mf-share, 0));
  border-radius: 2px; background: var(--mf-bar); opacity: 0.18;
}
.mf-foot { flex: none; padding: 6px 10px 0; color: var(--mf-muted); font-size: 12px; }
@media (prefers-reduced-motion: reduce) { .mf-view * { transition: none !important; } }
@media (forced-colors: active) {
  .mf-plot:focus-visible { outline: 2px solid; }
  .mf-tip, .mf-view { border: 1px solid; }
}
`);
