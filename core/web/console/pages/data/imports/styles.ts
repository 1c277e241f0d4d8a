import { css } from "lit";

/** Styles of the import dialog. */
export const importStyles = css`
  .drop {
    display: grid;
    justify-items: center;
    align-content: center;
    min-height: 240px;
    gap: var(--space-2);
    padding: var(--space-6) var(--space-4);
    border: 1px dashed var(--line-strong);
    border-radius: var(--radius);
    text-align: center;
  }
  .drop:focus-within label {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .import-head {
    max-width: 420px;
  }
  .drop.small {
    display: flex;
    min-height: 0;
    flex-wrap: wrap;
    align-items: center;
    padding: var(--space-2) var(--space-3);
  }
  .import-file {
    display: grid;
    text-align: left;
    overflow-wrap: anywhere;
  }
  .import-modes {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2) var(--space-5);
    margin: 0;
    padding: 0;
    border: 0;
  }
  .import-settings {
    padding: var(--space-3) var(--space-4);
  }
  .import-settings summary {
    cursor: pointer;
    font-weight: 600;
  }
  .import-settings summary .small {
    font-weight: 400;
    margin-left: var(--space-2);
  }
  .import-settings[open] summary .small {
    display: none;
  }
  .import-controls {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(200px, 100%), 1fr));
    gap: var(--space-4);
    margin-top: var(--space-3);
    align-items: start;
  }
  .import-settings > .button {
    margin-top: var(--space-3);
  }
  .import-rows {
    gap: var(--space-2);
  }
  .import-preview {
    max-height: 420px;
  }
  .import-preview.old tbody {
    opacity: 0.5;
  }
  .import-preview th {
    vertical-align: top;
    z-index: 1;
  }
  .import-column {
    display: grid;
    gap: var(--space-1);
    min-width: 150px;
    justify-items: stretch;
    font-weight: 400;
  }
  .import-column .badge {
    justify-self: start;
  }
  .import-column .input {
    color: var(--text);
    font-size: var(--size-s);
  }
  .import-column > :is(.import-seen, .import-note) {
    white-space: normal;
    overflow-wrap: anywhere;
    text-align: left;
  }
  .import-column .doubt {
    color: var(--warning);
  }
  @media (max-width: 600px) {
    .import-preview th {
      position: static;
    }
  }
  .import-notes {
    margin: 0;
    padding-left: var(--space-4);
    overflow-wrap: anywhere;
  }
  .import-differences {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 1fr));
    gap: var(--space-4);
    padding: var(--space-3) var(--space-4);
    overflow-wrap: anywhere;
  }
  .import-differences section {
    display: grid;
    gap: var(--space-1);
    align-content: start;
  }
  .import-differences h2 {
    font-size: var(--size-m);
  }
  .import-differences ul {
    margin: 0;
    padding-left: var(--space-4);
  }
  .import-foot {
    position: sticky;
    bottom: 0;
    z-index: 2;
    display: flex;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-3) 0;
    border-top: 1px solid var(--line);
    background: var(--background);
  }
  .import-running {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-4);
    overflow-wrap: anywhere;
  }
`;
