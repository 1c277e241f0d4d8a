import { css } from "lit";

/** Styles of the view as another person. */
export const sharingStyles = css`
  .check {
    display: flex;
    gap: var(--space-2);
    align-items: center;
    min-height: 28px;
  }
  .view-as {
    max-height: min(60vh, 640px);
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
`;
