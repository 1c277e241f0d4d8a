import { css } from "lit";

/** Styles of the Data page. */
export const dataStyles = css`
  .upload-fields {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(240px, 100%), 420px));
    gap: var(--space-4);
  }
  console-connection-offer {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-4);
  }
  .dataset-panel > * {
    min-width: 0;
  }
  console-hierarchy {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: var(--space-5);
  }
  console-hierarchy :is(section, console-records) {
    grid-template-columns: minmax(0, 1fr);
  }
  console-hierarchy .list-head {
    flex-wrap: wrap;
    align-items: end;
  }
  .levels {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .levels li {
    padding: var(--space-2) var(--space-3);
  }
  .swatch {
    display: inline-block;
    width: 12px;
    height: 12px;
    border: 1px solid var(--line-strong);
    border-radius: 2px;
    vertical-align: -1px;
  }
  .small-fact {
    font-size: var(--size-m);
    overflow-wrap: anywhere;
  }
  .facts dd.small-fact {
    font-size: var(--size-m);
  }
  .source-parts {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(340px, 100%), 1fr));
    gap: var(--space-4);
    align-items: start;
  }
  .source-part {
    display: grid;
    gap: var(--space-4);
    padding: var(--space-4);
    justify-items: start;
  }
  .source-part .facts {
    width: 100%;
    margin: 0;
  }
  .history {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .history li {
    padding: var(--space-1) 0;
    border-bottom: 1px solid var(--line);
    overflow-wrap: anywhere;
  }
  .field.expression {
    position: relative;
  }
  .completions {
    position: absolute;
    z-index: 2;
    top: 56px;
    left: 0;
    min-width: min(320px, 100%);
    max-width: 100%;
    margin: 0;
    padding: var(--space-1);
    list-style: none;
    background: var(--raised);
    box-shadow: var(--shadow);
  }
  .completions li {
    padding: 4px 8px;
    border-radius: var(--radius-inner);
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  .completions li[aria-selected="true"] {
    background: var(--accent-soft);
  }
  .links {
    display: grid;
    grid-template-columns: minmax(70px, 1fr) minmax(20px, 0.4fr) minmax(0, 2.4fr);
    align-items: center;
    max-width: 820px;
  }
  .link-lines {
    width: 100%;
    height: 100%;
    fill: none;
    stroke: var(--line-strong);
    stroke-width: 1.5px;
  }
  .link-list {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .link-list li {
    display: grid;
    align-items: center;
  }
  .link-box {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    padding: 0 var(--space-3);
    min-width: 0;
  }
  .link-box.own {
    border-color: var(--accent);
  }
  .link-box .grow {
    display: grid;
  }
  .page.narrow {
    max-width: 760px;
  }
  .sources {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(160px, 100%), 1fr));
    gap: var(--space-3);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .sources a {
    display: block;
    padding: var(--space-4);
    color: var(--text);
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .sources a:hover {
    border-color: var(--accent);
    text-decoration: none;
  }
  .connect-form summary {
    cursor: pointer;
    margin-bottom: var(--space-3);
  }
  .offer-bar {
    display: grid;
    grid-template-columns: minmax(0, 420px) auto auto;
    gap: var(--space-3);
    align-items: end;
    justify-content: start;
  }
  @media (max-width: 600px) {
    .offer-bar {
      grid-template-columns: minmax(0, 1fr);
    }
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
  .histogram {
    display: block;
    width: 100%;
    height: 96px;
    fill: var(--accent);
    border-bottom: 1px solid var(--line-strong);
  }
  .histogram-ends {
    margin-top: var(--space-1);
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
`;
