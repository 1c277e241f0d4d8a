import { css } from "lit";

/** The look of the page. */
export const accessStyles = css`
  .see-as {
    display: grid;
    grid-template-columns: minmax(280px, 2fr) minmax(0, 3fr);
    gap: var(--space-5);
    align-items: start;
  }
  .see-as .rights {
    display: grid;
    gap: var(--space-4);
  }
  .see-as .right-card {
    padding: var(--space-4);
    display: grid;
    gap: var(--space-2);
  }
  .see-as ul {
    margin: 0;
    padding-left: var(--space-4);
    display: grid;
    gap: var(--space-1);
  }
  .see-as li,
  .see-as p,
  .see-as h3 {
    overflow-wrap: anywhere;
  }
  .access-panel,
  .access-panel > *,
  .access-panel .stack,
  .access-panel .stack > * {
    min-width: 0;
  }
  console-tokens,
  console-see-as {
    display: block;
    min-width: 0;
  }
  .access-form {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-2);
    align-items: end;
  }
  .key-text {
    font-size: var(--size-s);
    font-variant-numeric: tabular-nums;
  }
  .check {
    display: flex;
    gap: var(--space-2);
    align-items: center;
    min-height: 28px;
  }
  .check-list {
    display: grid;
    max-height: 180px;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: var(--space-2) var(--space-3);
  }
  @media (max-width: 860px) {
    .see-as {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
