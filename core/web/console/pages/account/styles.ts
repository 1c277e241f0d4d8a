import { css } from "lit";

/** Styles of the Account page. */
export const accountStyles = css`
  .account {
    max-width: 860px;
  }
  .account section {
    padding: var(--space-4);
    display: grid;
    gap: var(--space-3);
    min-width: 0;
  }
  .account section > .row {
    flex-wrap: wrap;
  }
  .account form {
    display: grid;
    gap: var(--space-3);
    max-width: 380px;
    justify-items: stretch;
  }
  .account form .button {
    justify-self: start;
  }
  .account ul {
    list-style: none;
    margin: 0;
    padding: 0;
    display: grid;
  }
  .account li {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1) var(--space-3);
    align-items: center;
    padding: var(--space-2) 0;
    border-top: 1px solid var(--line);
  }
  .account li:first-child {
    border-top: 0;
  }
  .account li > :first-child {
    flex: 1 1 220px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .qr-code {
    display: grid;
    justify-items: center;
    gap: var(--space-3);
  }
  .qr-code svg {
    max-width: 100%;
    height: auto;
    border-radius: var(--radius-inner);
  }
  .secret-text {
    font-family: var(--font-code);
    font-size: var(--size-s);
    overflow-wrap: anywhere;
    user-select: all;
  }
  .recovery-codes {
    columns: 2 180px;
    margin: 0;
    padding: var(--space-3);
    list-style: none;
    background: var(--sunken);
    border-radius: var(--radius);
    font-family: var(--font-code);
    font-size: var(--size-s);
    line-height: 1.9;
  }
`;
