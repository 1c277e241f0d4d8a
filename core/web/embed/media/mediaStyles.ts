import { lazySheet } from "../view/index.ts";

/** The styles of images, videos and web pages. */
export const mediaStyles = lazySheet(`
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
`);
