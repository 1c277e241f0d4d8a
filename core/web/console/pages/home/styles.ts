import { css } from "lit";

/** Styles of the lists on Home, and of the three ways to add data. */
export const homeStyles = css`
  .home-lists {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(320px, 100%), 1fr));
    gap: var(--space-5);
    align-items: start;
  }
  .home-lists .stack,
  .home-lists + .stack {
    gap: var(--space-2);
  }
  .home-list {
    margin: 0;
    padding: 0;
    list-style: none;
    overflow: hidden;
  }
  .home-list li + li {
    border-top: 1px solid var(--line);
  }
  .home-list a {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-height: 40px;
    padding: 0 var(--space-3);
    color: var(--text);
    text-decoration: none;
  }
  .home-list a:hover {
    background: var(--sunken);
  }
  .home-list a:focus-visible {
    outline-offset: -2px;
  }
  .home-ways {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(300px, 100%), 1fr));
    gap: var(--space-4);
  }
  .home-ways article {
    display: grid;
    gap: var(--space-3);
    align-content: start;
    justify-items: start;
    padding: var(--space-5);
  }
  .home-ways .push {
    grid-column: 1 / -1;
    justify-items: stretch;
  }
  .home-ways .push .button {
    justify-self: start;
  }
`;
