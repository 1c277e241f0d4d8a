import { svg, type SVGTemplateResult } from "lit";

const icon = (content: SVGTemplateResult): SVGTemplateResult =>
  svg`<svg class="icon" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;

export const searchIcon = icon(svg`<circle cx="7" cy="7" r="4.5" /><path d="m10.5 10.5 3 3" />`);
export const menuIcon = icon(svg`<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11" />`);
export const moonIcon = icon(svg`<path d="M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z" />`);
export const sunIcon = icon(
  svg`<circle cx="8" cy="8" r="2.75" /><path d="M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7" />`,
);
export const mark = svg`<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true"><path fill="currentColor" d="M10 1 19 10 10 19 1 10Z" /><path fill="var(--surface)" d="M10 6 14 10 10 14 6 10Z" /></svg>`;

export const closeIcon = icon(svg`<path d="m4 4 8 8M12 4l-8 8" />`);
export const backIcon = icon(svg`<path d="M9.5 3.5 5 8l4.5 4.5" />`);
export const clockIcon = icon(svg`<circle cx="8" cy="8" r="5.5" /><path d="M8 4.75V8l2 1.5" />`);
export const checkIcon = icon(svg`<path d="m3.5 8.5 3 3 6-7" />`);
export const moreIcon = icon(svg`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.25" />`);
export const addIcon = icon(svg`<path d="M8 3.5v9M3.5 8h9" />`);
export const barsIcon = icon(svg`<path d="M3.5 12.5v-3M6.5 12.5v-7M9.5 12.5v-9M12.5 12.5v-5" />`);
export const dragIcon = icon(
  svg`<path d="M6 4h.01M10 4h.01M6 8h.01M10 8h.01M6 12h.01M10 12h.01" stroke-width="2" />`,
);
export const starIcon = icon(
  svg`<path d="m8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5Z" />`,
);
