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
