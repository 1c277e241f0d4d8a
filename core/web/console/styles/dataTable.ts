import { css } from "lit";

/** Styles of a plain table that scrolls in its own box and keeps its head visible. */
export const dataTable = css`
  .data-scroll {
    overflow: auto;
    max-height: 480px;
    --edge: color-mix(in srgb, var(--text) 22%, transparent);
    background:
      linear-gradient(90deg, var(--surface) 40%, transparent) left / 28px 100% no-repeat local,
      linear-gradient(270deg, var(--surface) 40%, transparent) right / 28px 100% no-repeat local,
      linear-gradient(90deg, var(--edge), transparent) left / 10px 100% no-repeat scroll,
      linear-gradient(270deg, var(--edge), transparent) right / 10px 100% no-repeat scroll,
      var(--surface);
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
