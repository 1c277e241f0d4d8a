import { css } from "lit";

/** Styles of record lists with their search box, and of the dialog to choose a record. */
export const records = css`
  console-records {
    display: grid;
    gap: var(--space-3);
    min-width: 0;
  }
  .list-head > .input.grow {
    flex: 1 1 200px;
  }
  .pick-list {
    display: grid;
    max-height: 320px;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .pick {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-height: 36px;
    padding: 4px 10px;
    border: 0;
    background: none;
    text-align: left;
    cursor: pointer;
  }
  .pick:hover,
  .pick:focus-visible {
    background: var(--accent-soft);
    outline-offset: -2px;
  }
  .pick .muted {
    max-width: 45%;
  }
`;
