import { css } from "lit";

/** Styles of shared parts: tables, dialogs, notices, states, tabs, menus, and the frame of a page. */
export const parts = css`
  .page {
    width: 100%;
    max-width: 1200px;
    margin: 0 auto;
    padding: var(--space-5) var(--space-5) var(--space-7);
    display: grid;
    gap: var(--space-5);
    align-content: start;
    min-width: 0;
  }
  .page-head {
    display: flex;
    align-items: flex-start;
    gap: var(--space-3);
    flex-wrap: wrap;
  }
  .page-head > :first-child {
    flex: 1 1 240px;
    min-width: 0;
  }
  .page-head p {
    color: var(--text-muted);
    margin-top: 2px;
  }
  .state {
    display: grid;
    justify-items: center;
    gap: var(--space-2);
    padding: var(--space-7) var(--space-4);
    text-align: center;
    color: var(--text-muted);
  }
  .state h2,
  .state h3 {
    color: var(--text);
  }
  .state p {
    max-width: 54ch;
    overflow-wrap: anywhere;
  }
  .state .row {
    margin-top: var(--space-2);
    justify-content: center;
  }
  .key-text {
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
  }
  .failure {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-3) var(--space-4);
    border: 1px solid var(--line);
    border-left: 3px solid var(--negative);
    border-radius: var(--radius);
    background: var(--surface);
    overflow-wrap: anywhere;
  }
  .failure .button {
    justify-self: start;
  }
  .skeleton {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-2) 0;
    animation: appear 200ms 150ms both;
  }
  .skeleton i {
    display: block;
    height: 14px;
    border-radius: var(--radius-inner);
    background: var(--line);
  }
  .skeleton i:nth-child(3n + 1) {
    width: 72%;
  }
  .skeleton i:nth-child(3n + 2) {
    width: 48%;
  }
  .skeleton i:nth-child(3n) {
    width: 60%;
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  .tabs {
    display: flex;
    gap: var(--space-4);
    border-bottom: 1px solid var(--line);
    overflow-x: auto;
    scrollbar-width: none;
  }
  @media (max-width: 600px) {
    .tabs {
      padding-right: var(--space-5);
      mask-image: linear-gradient(to left, transparent, #000 var(--space-5));
    }
  }
  .tabs [role="tab"] {
    padding: var(--space-2) 0;
    margin-bottom: -1px;
    border: 0;
    border-bottom: 2px solid transparent;
    background: none;
    color: var(--text-muted);
    font-weight: 600;
    white-space: nowrap;
    cursor: pointer;
  }
  .tabs [role="tab"][aria-selected="true"] {
    border-color: var(--accent);
    color: var(--text);
  }
  .tabs [role="tab"]:focus-visible {
    outline-offset: -2px;
  }
  console-table {
    display: block;
    min-width: 0;
    overflow: auto;
    /* A shadow at the edge beyond which there are more columns. It is covered where the table ends. */
    --edge: color-mix(in srgb, var(--text) 22%, transparent);
    background:
      linear-gradient(90deg, var(--surface) 40%, transparent) left / 28px 100% no-repeat local,
      linear-gradient(270deg, var(--surface) 40%, transparent) right / 28px 100% no-repeat local,
      linear-gradient(90deg, var(--edge), transparent) left / 10px 100% no-repeat scroll,
      linear-gradient(270deg, var(--edge), transparent) right / 10px 100% no-repeat scroll,
      var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    max-height: var(--table-height, 560px);
    outline-offset: -2px;
  }
  console-table .grid {
    min-width: max-content;
    position: relative;
  }
  console-table .grid > [role="rowgroup"] {
    position: relative;
  }
  console-table [role="row"] {
    display: grid;
    grid-template-columns: var(--columns);
    align-items: center;
    height: var(--row-height, 36px);
    border-bottom: 1px solid var(--line);
  }
  @media (max-width: 600px) {
    console-table [role="row"] {
      grid-template-columns: var(--columns-narrow);
    }
  }
  console-table .head {
    position: sticky;
    top: 0;
    z-index: 1;
    background: var(--surface);
    color: var(--text-muted);
    font-size: var(--size-xs);
    font-weight: 600;
  }
  console-table .body [role="row"] {
    position: absolute;
    inset: 0 0 auto;
  }
  console-table .body [role="row"]:hover {
    background: var(--sunken);
  }
  console-table.opens .body [role="row"] {
    cursor: pointer;
  }
  console-table:focus-visible .body [role="row"][aria-selected="true"] {
    background: var(--accent-soft);
  }
  console-table [role="gridcell"],
  console-table [role="columnheader"] {
    padding: 0 var(--space-3);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    line-height: 1.2;
  }
  console-table .right {
    text-align: right;
  }
  dialog.dialog {
    width: min(560px, calc(100vw - 24px));
    max-height: min(86vh, 800px);
    padding: 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--shadow);
    overflow: auto;
  }
  dialog.dialog.wide {
    width: min(920px, calc(100vw - 24px));
  }
  dialog.dialog::backdrop {
    background: oklch(15% 0.02 260 / 45%);
  }
  dialog.dialog .dialog-head {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-3) var(--space-3) 0 var(--space-4);
  }
  dialog.dialog .dialog-body {
    padding: var(--space-3) var(--space-4) var(--space-4);
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-4);
  }
  dialog.dialog .dialog-foot {
    position: sticky;
    bottom: 0;
    display: flex;
    justify-content: flex-end;
    gap: var(--space-2);
    padding: var(--space-3) var(--space-4);
    border-top: 1px solid var(--line);
    background: var(--raised);
  }
  .notices {
    position: fixed;
    left: 50%;
    /* Above the line at the end of a page that says how an answer was computed. */
    bottom: 56px;
    translate: -50%;
    z-index: 50;
    display: grid;
    gap: var(--space-2);
    width: max-content;
    max-width: calc(100vw - 24px);
  }
  .notice {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-2) var(--space-2) var(--space-2) var(--space-4);
    border-radius: var(--radius);
    border: 1px solid var(--line);
    background: var(--raised);
    box-shadow: var(--shadow);
    animation: rise 160ms ease-out;
    overflow-wrap: anywhere;
  }
  .notice.bad {
    border-left: 3px solid var(--negative);
  }
  @keyframes rise {
    from {
      opacity: 0;
      translate: 0 8px;
    }
  }
  .menu {
    position: fixed;
    inset: auto;
    margin: 0;
    min-width: 200px;
    max-width: min(320px, calc(100vw - 16px));
    max-height: 60vh;
    overflow: auto;
    padding: var(--space-1);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--shadow);
  }
  .menu [role^="menuitem"] {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    width: 100%;
    min-height: 32px;
    padding: 4px 10px;
    border: 0;
    border-radius: var(--radius-inner);
    background: none;
    color: inherit;
    text-align: left;
    cursor: pointer;
  }
  .menu [role^="menuitem"]:hover,
  .menu [role^="menuitem"]:focus-visible {
    background: var(--accent-soft);
    outline: none;
  }
  .menu [role^="menuitem"].danger {
    color: var(--negative);
  }
  .menu hr {
    border: 0;
    border-top: 1px solid var(--line);
    margin: var(--space-1) 0;
  }
  @media (max-width: 600px) {
    .page {
      padding: var(--space-4) var(--space-3) var(--space-6);
      gap: var(--space-4);
    }
  }
`;
