import { css } from "lit";

/** Styles of a plain table that scrolls in its own box and keeps its head visible. */
export const dataTable = css`
  .data-scroll {
    overflow: auto;
    max-height: 480px;
  }
  .data-table {
    border-collapse: collapse;
    width: 100%;
    font-variant-numeric: tabular-nums;
  }
  .data-table :is(th, td) {
    padding: 6px var(--space-3);
    text-align: left;
    white-space: nowrap;
    max-width: 320px;
    overflow: hidden;
    text-overflow: ellipsis;
    border-bottom: 1px solid var(--line);
  }
  .data-table th {
    position: sticky;
    top: 0;
    background: var(--surface);
    font-size: var(--size-xs);
    color: var(--text-muted);
  }
  .data-table .right {
    text-align: right;
  }
`;
