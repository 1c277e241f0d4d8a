import { css } from "lit";

/** Styles of the form for a filter. */
export const filterStyles = css`
  console-value-list {
    display: grid;
    gap: var(--space-3);
  }
  console-filter-fields {
    display: grid;
    gap: var(--space-4);
    min-width: 0;
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
  .date-range {
    min-height: 320px;
  }
  .date-range .mf-dates {
    width: 100%;
  }
  .date-range :is(input:not([type="checkbox"]), select) {
    min-width: 0;
    min-height: 32px;
    padding: 0 var(--space-2);
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
  }
  .date-range .mf-pair {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .date-range .mf-pair label {
    display: grid;
    flex: 1 1 110px;
    min-width: 0;
    color: var(--text-muted);
    font-size: var(--size-s);
  }
  .date-range .mf-button {
    border: 1px solid var(--line);
    border-radius: var(--radius-inner);
    background: var(--surface);
    cursor: pointer;
  }
  .date-range .mf-note:empty {
    display: none;
  }
`;
