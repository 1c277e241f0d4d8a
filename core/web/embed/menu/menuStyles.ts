import { lazySheet } from "../view/index.ts";

/** The styles of menus and of their dialogs. */
export const menuStyles = lazySheet(`
.mf-menu {
  position: fixed; inset: auto; margin: 0; padding: 4px; min-width: 180px; max-width: min(320px, calc(100vw - 16px));
  border: 1px solid var(--mf-grid); border-radius: 6px; background: var(--mf-background); color: var(--mf-text);
  font: 13px/1.45 var(--manifold-font, "IBM Plex Sans", system-ui, sans-serif);
  box-shadow: 0 1px 2px rgb(0 0 0 / 0.16), 0 6px 20px rgb(0 0 0 / 0.16);
}
.mf-anchor { position: absolute; width: 0; height: 0; }
.mf-menu button, .mf-menu a {
  display: block; width: 100%; min-height: 32px; padding: 4px 10px; border: 0; border-radius: 4px; background: none;
  color: inherit; font: inherit; text-align: start; cursor: pointer;
}
.mf-menu a { line-height: 24px; text-decoration: none; }
.mf-menu button:hover, .mf-menu button:focus-visible, .mf-menu a:hover, .mf-menu a:focus-visible {
  background: color-mix(in srgb, var(--mf-text) 8%, transparent);
}
.mf-menu button:focus-visible, .mf-menu a:focus-visible { outline: 2px solid var(--mf-accent); outline-offset: -2px; }
.mf-menu p { margin: 4px 10px; overflow-wrap: anywhere; white-space: pre-line; }
.mf-menu p:empty, .mf-dialog p:empty { display: none; }
.mf-dialog {
  width: min(340px, calc(100vw - 32px)); padding: 16px; border: 1px solid var(--mf-grid); border-radius: 8px;
  background: var(--mf-background); color: var(--mf-text);
  font: 13px/1.45 var(--manifold-font, "IBM Plex Sans", system-ui, sans-serif);
}
.mf-dialog::backdrop { background: rgb(0 0 0 / 0.4); }
.mf-dialog form { display: flex; flex-direction: column; gap: 10px; }
.mf-dialog h3, .mf-dialog p { margin: 0; overflow-wrap: anywhere; }
.mf-dialog h3 { font-size: 15px; }
.mf-dialog label { display: flex; flex-direction: column; gap: 2px; }
.mf-dialog input, .mf-dialog select, .mf-dialog button {
  min-height: 32px; padding: 4px 8px; border: 1px solid var(--mf-axis); border-radius: 6px; font: inherit;
  background: var(--mf-background); color: var(--mf-text);
}
.mf-dialog button { padding: 4px 12px; cursor: pointer; }
.mf-dialog button:disabled { cursor: default; }
.mf-dialog form > div { display: flex; flex-wrap: wrap; gap: 8px; justify-content: end; }
.mf-dialog :focus-visible { outline: 2px solid var(--mf-accent); outline-offset: 1px; }
`);
