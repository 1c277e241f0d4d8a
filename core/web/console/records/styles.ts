import { css } from "lit";

/** Styles of lists and views of records. */
export const recordStyles = css`
  :is(console-record-room, console-record-view) {
    display: grid;
    gap: var(--space-5);
    min-width: 0;
  }
  .wrap {
    overflow-wrap: anywhere;
  }
`;
