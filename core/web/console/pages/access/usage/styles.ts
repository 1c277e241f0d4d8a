import { css } from "lit";

/** Styles of the Usage tab. */
export const usageStyles = css`
  .activity {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-4);
    margin-bottom: var(--space-5);
    min-width: 0;
  }
  .activity :is(h2, p) {
    margin: 0;
  }
  .activity-choices {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-3);
  }
  .usage-head {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-3);
    align-items: center;
    justify-content: space-between;
  }
  .usage-head p {
    margin: 0;
    flex: 1 1 260px;
  }
  .usage {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr));
    gap: var(--space-4);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .usage-item {
    display: grid;
    align-content: start;
    gap: var(--space-2);
    padding: var(--space-4);
    min-width: 0;
  }
  .usage-item :is(h2, p) {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .usage-name {
    font-size: var(--size-m);
  }
  .usage-figure strong {
    font-size: var(--size-l);
    font-variant-numeric: tabular-nums;
  }
  .usage-bar {
    display: block;
    width: 100%;
    height: 14px;
    overflow: visible;
  }
  .usage-bar .rail {
    fill: var(--sunken);
    stroke: var(--line);
  }
  .usage-bar .within {
    fill: var(--accent);
  }
  .usage-bar .soft {
    fill: var(--warning);
  }
  .usage-bar .hard {
    fill: var(--negative);
  }
  .usage-bar .mark {
    fill: var(--text);
  }
  .usage-note {
    font-size: var(--size-s);
  }
  .usage-note.soft > :first-child {
    color: var(--warning);
  }
  .usage-note.hard > :first-child {
    color: var(--negative);
  }
`;
