import { css } from "lit";

/** Styles of cards of dashboards. */
export const boardStyles = css`
  .board-cards {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(280px, 100%), 1fr));
    gap: var(--space-4);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .board-tools {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-2);
  }
  .board-tools input {
    flex: 1 1 280px;
    width: auto;
    max-width: 520px;
  }
  .board-tools select {
    flex: 0 1 auto;
    width: auto;
    min-width: 0;
  }
  .board-card {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-content: start;
    overflow: hidden;
    transition: border-color var(--quick);
  }
  .board-card:hover {
    border-color: var(--line-strong);
  }
  .board-card p {
    margin: 0;
    padding: 0 var(--space-3) var(--space-2);
  }
  console-board-picture {
    display: grid;
    place-items: center;
    aspect-ratio: 1152 / 704;
    overflow: hidden;
    border-bottom: 1px solid var(--line);
    background: var(--background);
    pointer-events: none;
  }
  .board-picture {
    width: 100%;
    height: 100%;
  }
  .board-card-head {
    display: flex;
    align-items: center;
    gap: var(--space-1);
    padding: var(--space-2) var(--space-2) 0 var(--space-3);
  }
  .board-name {
    color: var(--text);
    font-weight: 600;
    text-decoration: none;
  }
  .board-name::before {
    position: absolute;
    inset: 0;
    content: "";
  }
  .board-name:focus-visible {
    outline: none;
  }
  .board-card:has(.board-name:focus-visible) {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }
  .board-card .button,
  .board-tags .badge {
    position: relative;
  }
  .board-tags {
    flex-wrap: wrap;
  }
  .board-tags button.badge {
    border: 0;
    font: inherit;
    font-size: var(--size-xs);
    cursor: pointer;
  }
`;

/** Styles of the star of favorites. */
export const starStyles = css`
  .star[aria-pressed="true"] {
    color: var(--warning);
  }
  .star[aria-pressed="true"] .icon {
    fill: currentColor;
  }
`;
