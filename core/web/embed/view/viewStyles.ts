import { lazySheet } from "./adoptStyles.ts";

/** The styles of item views. Class names begin with `mf-`, because a view may be in another site's document. */
export const viewStyles = lazySheet(`
.mf-view {
  position: relative; box-sizing: border-box; width: 100%; height: 100%; min-width: 0; overflow: hidden; contain: strict;
  border-radius: var(--manifold-radius, 6px); background: var(--mf-background); color: var(--mf-text);
  font: 13px/1.45 var(--manifold-font, "IBM Plex Sans", system-ui, sans-serif);
  font-variant-numeric: tabular-nums; text-align: start; direction: ltr;
}
.mf-view[dir="rtl"] { direction: rtl; }
.mf-view *, .mf-view *::before { box-sizing: border-box; }
.mf-plot { position: absolute; inset: 0; border-radius: inherit; outline: none; }
.mf-plot svg, .mf-plot canvas { display: block; position: absolute; inset: 0 auto auto 0; }
.mf-plot svg text { font-family: var(--manifold-font, "IBM Plex Sans", sans-serif); }
.mf-plot svg text[font-weight] { font-family: var(--manifold-font, "IBM Plex Sans SemiBold", "IBM Plex Sans", sans-serif); }
.mf-plot:focus-visible::after {
  content: ""; position: absolute; inset: 0; border-radius: inherit; box-shadow: inset 0 0 0 2px var(--mf-accent); pointer-events: none;
}
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
.mf-tip-title, .mf-tip-row > span { unicode-bidi: plaintext; }
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
a.mf-button { text-decoration: none; }
.mf-tip-note { margin-block-end: 4px; color: var(--mf-muted); white-space: pre-line; }
@media (hover: none), (width < 480px) {
  .mf-twin { position: relative; width: 30px; height: 28px; padding: 0; }
  .mf-twin > span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .mf-twin::before {
    content: ""; position: absolute; inset: 7px 8px; border: 1px solid currentColor;
    background: linear-gradient(currentColor 0 0) 0 50% / 100% 1px no-repeat, linear-gradient(currentColor 0 0) 40% 0 / 1px 100% no-repeat;
  }
}
.mf-button:hover { background: color-mix(in srgb, var(--mf-text) 6%, var(--mf-background)); }
.mf-view :focus-visible:not(.mf-plot) { outline: 2px solid var(--mf-accent); outline-offset: -2px; }
.mf-tools {
  position: absolute; z-index: 2; inset-block-start: 6px; inset-inline-end: 6px; display: flex; gap: 4px; opacity: 0;
}
.mf-tools :focus-visible { outline: 2px solid var(--mf-accent); outline-offset: -2px; }
.mf-view:hover > .mf-tools, .mf-cell:hover > .mf-tools, .mf-tools:focus-within, .mf-tools:has([aria-expanded="true"]) { opacity: 1; }
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
.mf-titled { position: absolute; inset: 0; display: flex; flex-direction: column; padding: 16px 8px 8px; }
.mf-title { margin: 0 8px 8px; padding-inline-end: 96px; font-size: 14px; font-weight: 600; line-height: 1.25; }
.mf-grid { flex: 1; min-height: 0; overflow: auto; overscroll-behavior: contain; outline: none; contain: strict; }
.mf-grid-head {
  position: sticky; z-index: 1; inset-block-start: 0; width: var(--mf-width); background: var(--mf-background);
}
.mf-grid-body { position: relative; contain: layout style; }
.mf-row { display: grid; grid-template-columns: var(--mf-columns); width: var(--mf-width); }
.mf-grid-body > .mf-row { position: absolute; inset-block-start: 0; height: var(--mf-row); contain: strict; will-change: transform; }
.mf-row > div {
  position: relative; height: var(--mf-row); padding: 0 10px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis;
  line-height: var(--mf-row); border: 0 solid var(--mf-line); unicode-bidi: plaintext; text-align: left;
}
.mf-view[dir="rtl"] .mf-row > div { text-align: right; }
.mf-row-lines > * > .mf-row > div { border-block-end-width: var(--mf-line-width); }
.mf-column-lines > * > .mf-row > div { border-inline-end-width: var(--mf-line-width); }
.mf-stripes .mf-grid-body > .mf-odd > div { background: color-mix(in srgb, var(--mf-grid) 45%, var(--mf-background)); }
.mf-grid-body > .mf-row:hover > div { background: color-mix(in srgb, var(--mf-text) 4%, transparent); }
.mf-row > .mf-number { text-align: right; }
.mf-view[dir="rtl"] .mf-row > .mf-number { text-align: left; }
.mf-row > .mf-missing { color: var(--mf-muted); }
.mf-grid-head .mf-row > div { padding: 0; border-block-end: 1px solid var(--mf-axis); background: var(--mf-head); }
.mf-grid-head .mf-row:not(.mf-totals) > div { height: 28px; line-height: 20px; }
.mf-grid-head button {
  width: 100%; height: 100%; padding: 4px 10px; border: 0; background: none; color: var(--mf-head-text); font: inherit;
  font-size: 12px; font-weight: 600; line-height: 20px; text-align: inherit; overflow: hidden; text-overflow: ellipsis; cursor: pointer;
}
.mf-grid-head .mf-totals > div { padding: 0 10px; font-weight: 600; background: var(--mf-background); }
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
  content: ""; position: absolute; inset-block: 4px; inset-inline: 4px auto; width: calc((100% - 8px) * var(--mf-share, 0));
  border-radius: 2px; background: var(--mf-bar); opacity: 0.18;
}
.mf-foot { flex: none; padding: 6px 10px 0; color: var(--mf-muted); font-size: 12px; }
.mf-rest { display: none; }
.mf-printing, .mf-printing * { print-color-adjust: exact; }
.mf-printing .mf-plot svg, .mf-printing .mf-plot canvas { width: 100%; height: 100%; object-fit: contain; }
.mf-printing > .mf-tools, .mf-printing .mf-tip, .mf-printing .mf-legend { display: none; }
.mf-view.mf-printing-table { height: auto; overflow: visible; contain: none; }
.mf-printing-table .mf-titled { position: static; display: block; }
.mf-printing-table .mf-title { padding-inline-end: 0; break-after: avoid; }
.mf-printing-table .mf-grid { display: table; width: 100%; overflow: visible; contain: none; border-collapse: collapse; }
.mf-printing-table .mf-grid-head { display: table-header-group; position: static; break-inside: avoid; }
.mf-printing-table .mf-grid-body { display: table-row-group; height: auto !important; contain: none; }
.mf-printing-table .mf-grid .mf-row {
  display: table-row; position: static; width: auto; height: auto; contain: none; transform: none !important; will-change: auto; break-inside: avoid;
}
.mf-printing-table .mf-row > div { display: table-cell; height: auto; white-space: normal; overflow-wrap: anywhere; }
.mf-printing-table .mf-row > .mf-pin { position: relative; inset: auto; }
.mf-printing-table .mf-grid-head button { display: none; }
.mf-printing-table .mf-grid-head [data-name] { padding: 4px 10px; color: var(--mf-muted); font-size: 12px; font-weight: 600; }
.mf-printing-table .mf-grid-head [data-name]::before { content: attr(data-name); }
.mf-printing-table .mf-rest { display: block; }
@media (prefers-reduced-motion: reduce) { .mf-view * { transition: none !important; } }
@media (forced-colors: active) {
  .mf-plot:focus-visible { outline: 2px solid; }
  .mf-tip, .mf-view { border: 1px solid; }
}
`);
