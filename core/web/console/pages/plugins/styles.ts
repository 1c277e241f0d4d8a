import { css } from "lit";

/** Styles of the page Plugins. */
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
`;
