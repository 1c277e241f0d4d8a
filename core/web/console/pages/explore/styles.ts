import { css } from "lit";

/** Styles of Explore: columns on the left, shelves and charts on the right, the status line below. */
export const exploreStyles = css`
  .dataset-search {
    width: min(320px, 100%);
  }
  .explore {
    display: grid;
    grid-template: "columns work" 1fr / 248px minmax(0, 1fr);
    height: calc(100dvh - var(--bar-height));
  }
  .explore-columns {
    display: flex;
    flex-direction: column;
    gap: var(--space-2);
    padding: var(--space-3);
    background: var(--surface);
    border-right: 1px solid var(--line);
    min-height: 0;
  }
  .explore-columns > h1 {
    font-size: var(--size-l);
  }
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
  .work {
    display: grid;
    grid-template-rows: auto auto minmax(0, 1fr) auto;
    min-width: 0;
    min-height: 0;
  }
  .for-dashboard {
    display: flex;
    gap: var(--space-3);
    padding: var(--space-2) var(--space-4);
    background: var(--accent-soft);
  }
  .work-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-2) var(--space-4);
    border-bottom: 1px solid var(--line);
    background: var(--surface);
  }
  .work-head .input {
    width: auto;
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
  .answer {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-4);
    min-height: 0;
    overflow: auto;
    align-content: start;
  }
  .answer.both {
    grid-template-rows: minmax(240px, 1fr) minmax(150px, 0.55fr);
    align-content: stretch;
  }
  .answer.chart,
  .answer.table {
    grid-template-rows: minmax(240px, 1fr);
    align-content: stretch;
  }
  .answer[aria-busy="true"] console-picture,
  .answer[aria-busy="true"] console-table {
    opacity: 0.6;
    transition: opacity var(--quick) 150ms;
  }
  console-picture {
    display: block;
    min-width: 0;
    min-height: 0;
    overflow: hidden;
    background: var(--surface);
    border-radius: var(--radius);
  }
  console-picture svg {
    display: block;
  }
  .answer console-table {
    max-height: none;
  }
  .status {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px var(--space-3);
    min-height: 34px;
    padding: 2px var(--space-4);
    border-top: 1px solid var(--line);
    background: var(--surface);
    color: var(--text-muted);
    font-size: var(--size-s);
  }
  .status .button {
    min-height: 28px;
    font-size: var(--size-s);
  }
  .values {
    display: grid;
    align-content: start;
    height: 280px;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: var(--space-1);
  }
  .value {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-height: 30px;
    padding: 0 var(--space-2);
    border-radius: var(--radius-inner);
    cursor: pointer;
  }
  .value:hover {
    background: var(--accent-soft);
  }
  .value input {
    accent-color: var(--accent);
  }
  .request {
    max-height: 52vh;
  }
  .plan {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
    gap: var(--space-5);
    align-content: start;
  }
  .plan section {
    display: grid;
    gap: var(--space-2);
    align-content: start;
    min-width: 0;
    overflow-x: auto;
  }
  table.plain {
    width: 100%;
    border-collapse: collapse;
    font-size: var(--size-s);
  }
  table.plain th {
    color: var(--text-muted);
    font-size: var(--size-xs);
    text-align: left;
  }
  table.plain :is(td, th) {
    padding: 6px var(--space-2) 6px 0;
    border-bottom: 1px solid var(--line);
    vertical-align: top;
  }
  table.plain .right {
    text-align: right;
  }
  .times {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(110px, 1fr));
    gap: var(--space-3);
    margin: 0;
  }
  .times dt {
    color: var(--text-muted);
    font-size: var(--size-xs);
  }
  .times dd {
    margin: 0;
    font-weight: 600;
  }
  @media (max-width: 800px) {
    .explore {
      grid-template: "columns" auto "work" auto / minmax(0, 1fr);
      height: auto;
    }
    .explore-columns {
      border-right: 0;
      border-bottom: 1px solid var(--line);
    }
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
    .work-head,
    .shelf,
    .status,
    .answer {
      padding-left: var(--space-3);
      padding-right: var(--space-3);
    }
    .answer.both {
      grid-template-rows: 320px 280px;
    }
    .answer.chart,
    .answer.table {
      grid-template-rows: 420px;
    }
  }
`;
