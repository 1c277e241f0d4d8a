import { css } from "lit";

/** Styles of the shelves and of the list of columns. */
export const shelfStyles = css`
  console-column-list {
    display: flex;
    flex-direction: column;
    gap: var(--space-2);
    min-height: 0;
    flex: 1;
  }
  .column-kinds {
    overflow: auto;
    flex: 1;
    margin: 0 calc(-1 * var(--space-2));
    padding: 0 var(--space-2);
  }
  .column-kinds h2 {
    font-size: var(--size-xs);
    color: var(--text-muted);
    padding: var(--space-2) var(--space-2) 2px;
  }
  button.column {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    width: 100%;
    height: 28px;
    padding: 0 var(--space-2);
    border: 0;
    border-radius: var(--radius-inner);
    background: none;
    text-align: left;
    cursor: pointer;
    content-visibility: auto;
    contain-intrinsic-height: 28px;
  }
  .column-row {
    display: flex;
    align-items: center;
  }
  .column-about {
    flex: none;
    width: 26px;
    height: 26px;
    padding: 0;
    border: 0;
    border-radius: var(--radius-inner);
    background: none;
    color: var(--text-muted);
    cursor: pointer;
    opacity: 0;
  }
  .column-about svg.icon {
    width: 14px;
    height: 14px;
    vertical-align: -2px;
  }
  :is(.column-row:hover, .column-row:focus-within) .column-about,
  .column-about[aria-expanded="true"] {
    opacity: 1;
  }
  @media (hover: none) {
    .column-about {
      opacity: 1;
    }
  }
  .column-about:hover {
    background: var(--accent-soft);
    color: var(--text);
  }
  console-column-panel {
    display: grid;
    gap: var(--space-1);
    margin: 2px 0 var(--space-2);
    padding: var(--space-2);
    border-radius: var(--radius);
    background: var(--sunken);
  }
  .column-values {
    display: grid;
  }
  .column-values button {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 48px auto;
    align-items: center;
    gap: var(--space-2);
    min-height: 24px;
    padding: 0 4px;
    border: 0;
    border-radius: var(--radius-inner);
    background: none;
    font-size: var(--size-s);
    text-align: left;
    cursor: pointer;
  }
  .column-values svg {
    width: 48px;
    height: 8px;
    fill: var(--accent);
  }
  .column-values button:hover {
    background: var(--accent-soft);
  }
  .column-bars {
    display: flex;
    align-items: stretch;
    height: 56px;
    touch-action: pan-y;
  }
  .column-bars button {
    flex: 1;
    min-width: 0;
    padding: 0;
    border: 0;
    background: none;
    cursor: pointer;
  }
  .column-bars svg {
    display: block;
    width: calc(100% - 1px);
    height: 100%;
    fill: var(--accent);
  }
  .column-bars button:is(:hover, .over) {
    background: var(--accent-soft);
  }
  .column-ends {
    display: flex;
    justify-content: space-between;
  }
  button.column:hover {
    background: var(--accent-soft);
  }
  button.column:focus-visible {
    outline-offset: -2px;
  }
  .sign {
    width: 18px;
    color: var(--text-muted);
    font-size: var(--size-xs);
    font-weight: 600;
    text-align: center;
  }
  .shelves {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    background: var(--surface);
    border-bottom: 1px solid var(--line);
  }
  .shelf {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-1) var(--space-2);
    min-height: 38px;
    padding: 4px var(--space-4);
  }
  .shelf:nth-child(odd) {
    border-right: 1px solid var(--line);
  }
  .shelf:nth-child(n + 3) {
    border-top: 1px solid var(--line);
  }
  button.column,
  .chip button {
    touch-action: pan-y;
    user-select: none;
  }
  .dragged-column {
    position: fixed;
    top: 0;
    left: 0;
    z-index: 100;
    max-width: 240px;
    padding: 4px var(--space-3);
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    pointer-events: none;
    color: var(--text);
    background: var(--surface);
    border: 1px solid var(--accent);
    border-radius: var(--radius);
    box-shadow: var(--shadow);
  }
  .shelf.over {
    background: var(--accent-soft);
  }
  .shelf-name {
    width: 56px;
    color: var(--text-muted);
    font-size: var(--size-s);
  }
  .shelf-add {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    min-width: 26px;
    height: 26px;
    padding: 0 6px;
    border: 0;
    border-radius: var(--radius-inner);
    background: none;
    color: var(--text-muted);
    font-size: var(--size-s);
    cursor: pointer;
  }
  .shelf-add:hover {
    background: var(--sunken);
    color: var(--text);
  }
  .chip {
    display: inline-flex;
    align-items: center;
    max-width: 100%;
    height: 26px;
    border-radius: var(--radius-inner);
    background: var(--accent-soft);
  }
  .chip button {
    height: 100%;
    padding: 0 var(--space-2);
    border: 0;
    border-radius: var(--radius-inner);
    background: none;
    font-size: var(--size-s);
    cursor: pointer;
    max-width: 280px;
  }
  .chip svg.icon,
  .sign svg.icon {
    width: 14px;
    height: 14px;
    vertical-align: -2px;
  }
  .chip .chip-remove {
    padding: 0 6px;
    color: var(--text-muted);
  }
  .chip button:hover {
    color: var(--accent-strong);
  }
  .ranking {
    height: 26px;
    padding: 0 var(--space-2);
    border: 1px solid var(--line);
    border-radius: var(--radius-inner);
    background: none;
    color: var(--text-muted);
    font-size: var(--size-s);
    cursor: pointer;
  }
  .rankings {
    display: inline-flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    margin-left: auto;
  }
  .ranking::after {
    content: "";
    display: inline-block;
    margin-left: 6px;
    border: 4px solid transparent;
    border-top-color: currentcolor;
    border-bottom-width: 0;
    vertical-align: 2px;
  }
  .ranking:hover {
    background: var(--sunken);
    color: var(--text);
  }
  @media (max-width: 800px) {
    .column-kinds {
      max-height: 180px;
    }
    .shelves {
      grid-template-columns: minmax(0, 1fr);
    }
    .shelf:nth-child(odd) {
      border-right: 0;
    }
    .shelf:nth-child(n + 2) {
      border-top: 1px solid var(--line);
    }
    .shelf {
      padding-left: var(--space-3);
      padding-right: var(--space-3);
    }
  }
`;
