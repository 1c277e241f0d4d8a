import { css } from "lit";

/** Styles of row choices, and of the view as another person. */
export const sharingStyles = css`
  console-row-picker {
    display: grid;
    gap: var(--space-3);
    min-width: 0;
  }
  .share-dataset {
    display: grid;
    gap: var(--space-2);
    min-width: 0;
    margin: 0;
    padding: var(--space-2) var(--space-3) var(--space-3);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .share-dataset legend {
    padding: 0 var(--space-1);
    font-weight: 600;
  }
  .share-modes {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1) var(--space-4);
  }
  .share-mode {
    display: inline-flex;
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
