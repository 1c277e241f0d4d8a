import { css } from "lit";

/** The look of the page. */
export const dataStyles = css`
  .drop {
    display: grid;
    justify-items: center;
    gap: var(--space-2);
    padding: var(--space-6) var(--space-4);
    border: 1px dashed var(--line-strong);
    border-radius: var(--radius);
    text-align: center;
  }
  .drop.over {
    background: var(--accent-soft);
    border-color: var(--accent);
  }
  .data-search {
    max-width: 420px;
  }
  .profile-bars {
    display: grid;
    grid-template-columns: minmax(80px, 2fr) minmax(60px, 3fr) auto;
    gap: var(--space-1) var(--space-3);
    align-items: center;
  }
  .profile-bars .bar {
    height: 10px;
    border-radius: 2px;
    background: var(--accent);
  }
  .facts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(110px, 1fr));
    gap: var(--space-3);
  }
  .facts dt {
    color: var(--text-muted);
    font-size: var(--size-xs);
  }
  .facts dd {
    margin: 0;
    font-size: var(--size-l);
    font-variant-numeric: tabular-nums;
  }
  .upload-progress {
    width: 100%;
    accent-color: var(--accent);
  }
  .wrong-rows {
    margin: 0;
    padding-left: var(--space-4);
    overflow-wrap: anywhere;
  }
`;
