import { css } from "lit";

/** Styles of the Plugins page. */
export const pluginStyles = css`
  .plugin-facts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(110px, 1fr));
    gap: var(--space-3);
    margin: 0;
  }
  .plugin-facts dd {
    margin: 0;
    font-size: var(--size-l);
    font-variant-numeric: tabular-nums;
  }
  .available-head {
    flex-wrap: wrap;
  }
  .available-head > .grow {
    flex-basis: 260px;
  }
  .plugin-search {
    width: min(280px, 100%);
  }
  .plugin-cards {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(260px, 100%), 1fr));
    gap: var(--space-3);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .plugin-cards > li {
    display: flex;
    flex-direction: column;
    align-items: start;
    gap: var(--space-2);
    padding: var(--space-4);
  }
  .plugin-cards p,
  .plugin-cards h3 {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .plugin-cards p:last-child {
    margin-top: auto;
  }
`;
