import { css } from "lit";

/** Styles of the console's frame: the bar, the sign-in form and the palette. On paper, pages have no bar. */
export const shellStyles = css`
  @media print {
    console-app,
    console-app > main {
      display: block !important;
      min-height: 0 !important;
    }
    console-app > .bar,
    console-app > .skip {
      display: none !important;
    }
  }
  console-app {
    display: grid;
    grid-template-rows: auto 1fr;
    min-height: 100dvh;
  }
  .skip {
    position: absolute;
    left: var(--space-2);
    top: -60px;
    z-index: 40;
  }
  .skip:focus {
    top: var(--space-2);
  }
  .bar {
    position: sticky;
    top: 0;
    z-index: 30;
    display: flex;
    align-items: center;
    gap: var(--space-4);
    height: 48px;
    padding: 0 var(--space-4);
    background: var(--surface);
    border-bottom: 1px solid var(--line);
  }
  .bar .brand {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    color: var(--accent);
    font-weight: 600;
    font-size: var(--size-l);
    text-decoration: none;
  }
  .bar .brand span {
    color: var(--text);
  }
  .bar nav {
    display: flex;
    gap: 2px;
    flex: 1;
    min-width: 0;
  }
  .bar nav a {
    padding: 6px 10px;
    border-radius: var(--radius);
    color: var(--text-muted);
    text-decoration: none;
  }
  .bar nav a:hover {
    color: var(--text);
    background: var(--sunken);
  }
  .bar nav a[aria-current="page"] {
    color: var(--text);
    background: var(--accent-soft);
    font-weight: 600;
  }
  .bar .tools {
    display: flex;
    align-items: center;
    gap: var(--space-1);
  }
  .bar .search {
    gap: var(--space-2);
    color: var(--text-muted);
    font-weight: 400;
  }
  .bar kbd {
    font: 600 11px var(--font);
    padding: 1px 5px;
    border: 1px solid var(--line);
    border-radius: var(--radius-inner);
  }
  .bar .open-menu {
    display: none;
  }
  .avatar {
    display: inline-grid;
    place-items: center;
    width: 26px;
    height: 26px;
    border-radius: 50%;
    background: var(--accent);
    color: var(--on-accent);
    font-size: var(--size-xs);
    font-weight: 600;
  }
  main {
    min-width: 0;
    display: grid;
    align-content: start;
  }
  main:focus {
    outline: none;
  }
  main > * {
    display: block;
    min-width: 0;
  }
  .sign-in {
    display: grid;
    place-content: center;
    justify-items: stretch;
    gap: var(--space-4);
    min-height: 100dvh;
    padding: var(--space-4);
    grid-template-columns: minmax(0, 380px);
  }
  .sign-in .brand {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: var(--space-2);
    color: var(--accent);
  }
  .sign-in h1 {
    color: var(--text);
  }
  .sign-in form {
    display: grid;
    gap: var(--space-4);
    padding: var(--space-5);
  }
  .sign-in .button {
    min-height: 38px;
  }
  .palette {
    width: min(640px, calc(100vw - 24px));
    margin: 12vh auto auto;
    padding: 0;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
    color: var(--text);
    box-shadow: var(--shadow);
    overflow: hidden;
  }
  .palette::backdrop {
    background: oklch(15% 0.02 260 / 35%);
  }
  .palette input {
    width: 100%;
    height: 52px;
    padding: 0 var(--space-4);
    border: 0;
    border-bottom: 1px solid var(--line);
    background: none;
    font-size: var(--size-l);
    outline: none;
  }
  .palette input::placeholder {
    color: var(--text-muted);
    opacity: 1;
  }
  .palette [role="listbox"] {
    max-height: 52vh;
    overflow: auto;
    padding: var(--space-1);
  }
  .palette [role="option"] {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-height: 38px;
    padding: 4px 12px;
    border-radius: var(--radius-inner);
    cursor: pointer;
  }
  .palette [role="option"][aria-selected="true"] {
    background: var(--accent-soft);
  }
  .palette .nothing {
    padding: var(--space-4);
    color: var(--text-muted);
  }
  @media (max-width: 900px) {
    .bar {
      gap: var(--space-2);
      padding: 0 var(--space-3);
    }
    .bar nav {
      overflow-x: auto;
      scrollbar-width: none;
    }
    .bar nav a {
      flex: none;
      padding: 6px var(--space-2);
    }
    .bar .search kbd {
      display: none;
    }
    .bar :is(.brand, .search) span {
      position: absolute;
      width: 1px;
      height: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }
  }
  @media (max-width: 700px) {
    .bar nav {
      display: none;
    }
    .bar .brand {
      flex: 1;
    }
    .bar .brand span {
      position: static;
      width: auto;
      height: auto;
      clip-path: none;
    }
    .bar .open-menu {
      display: inline-flex;
    }
  }
  .file-drop {
    position: fixed;
    inset: var(--space-3);
    z-index: 40;
    display: grid;
    place-items: center;
    border: 2px dashed var(--accent);
    border-radius: var(--radius);
    background: var(--accent-soft);
    font-size: var(--size-l);
    font-weight: 600;
    pointer-events: none;
  }
`;
