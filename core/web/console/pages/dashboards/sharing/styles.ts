import { css } from "lit";

/** Styles of the Share dialog. */
export const shareStyles = css`
  console-share-panel {
    display: grid;
    gap: var(--space-5);
    min-width: 0;
  }
  :is(console-share-form, console-access-list, console-private-links) {
    display: grid;
    gap: var(--space-3);
    min-width: 0;
  }
  console-share-panel .pick-list {
    grid-template-columns: minmax(0, 1fr);
  }
  console-share-panel .pick {
    min-width: 0;
  }
  .share-none {
    padding: var(--space-2) var(--space-3);
  }
  .share-recipient {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .share-foot {
    justify-content: flex-end;
  }
  .share-list {
    display: grid;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .share-list li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-1) var(--space-3);
    padding: var(--space-2) 0;
    border-bottom: 1px solid var(--line);
  }
  .share-list .grow {
    flex: 1 1 220px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .share-rows {
    display: block;
    color: var(--text-muted);
  }
`;
