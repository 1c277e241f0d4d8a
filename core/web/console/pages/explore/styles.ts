import { css } from "lit";

/** Styles of Explore: columns on the left, charts on the right, the status line below. */
export const exploreStyles = css`
  .dataset-search {
    width: min(320px, 100%);
  }
  .explore {
    display: grid;
    grid-template: "columns work" 1fr / 248px minmax(0, 1fr);
    height: calc(100dvh - var(--bar-height));
  }
  .explore-columns {
    display: flex;
    flex-direction: column;
    gap: var(--space-2);
    padding: var(--space-3);
    background: var(--surface);
    border-right: 1px solid var(--line);
    min-height: 0;
  }
  .explore-columns > h1 {
    font-size: var(--size-l);
  }
  .toggle-columns {
    display: none;
  }
  .work {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
  }
  .work > .answer {
    flex: 1;
  }
  .for-dashboard {
    display: flex;
    gap: var(--space-3);
    padding: var(--space-2) var(--space-4);
    background: var(--accent-soft);
  }
  .work-head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-2) var(--space-4);
    border-bottom: 1px solid var(--line);
    background: var(--surface);
  }
  .work-head .input {
    width: auto;
  }
  .work-head .questions {
    max-width: 240px;
  }
  console-question-list {
    display: block;
    min-width: 0;
  }
  .saved-questions {
    margin: 0;
    min-width: 0;
    padding: 0;
    list-style: none;
  }
  .saved-questions li {
    display: flex;
    align-items: center;
    gap: var(--space-3);
    min-width: 0;
    min-height: 40px;
    padding: 0 var(--space-2) 0 var(--space-3);
  }
  .saved-questions a {
    min-width: 40%;
  }
  .saved-questions li + li {
    border-top: 1px solid var(--line);
  }
  .answer {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-4);
    min-height: 0;
    overflow: auto;
    align-content: start;
  }
  .answer.both {
    grid-template-rows: minmax(240px, 1fr) minmax(150px, 0.55fr);
    align-content: stretch;
  }
  .answer.chart,
  .answer.table {
    grid-template-rows: minmax(240px, 1fr);
    align-content: stretch;
  }
  .answer[aria-busy="true"] console-picture,
  .answer[aria-busy="true"] console-table {
    opacity: 0.6;
    transition: opacity var(--quick) 150ms;
  }
  console-picture {
    display: block;
    min-width: 0;
    min-height: 0;
    overflow: hidden;
    background: var(--surface);
    border-radius: var(--radius);
  }
  console-picture svg {
    display: block;
  }
  .answer console-table {
    max-height: none;
  }
  .status {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 2px var(--space-3);
    min-height: 34px;
    padding: 2px var(--space-4);
    border-top: 1px solid var(--line);
    background: var(--surface);
    color: var(--text-muted);
    font-size: var(--size-s);
  }
  .status .button {
    min-height: 28px;
    font-size: var(--size-s);
  }
  .request {
    max-height: 52vh;
  }
  .plan {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
    gap: var(--space-5);
    align-content: start;
  }
  .plan section {
    display: grid;
    gap: var(--space-3);
    align-content: start;
    min-width: 0;
  }
  .plan-steps {
    display: grid;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .plan-steps > li {
    position: relative;
    display: flex;
    align-items: center;
    gap: var(--space-3);
    padding: var(--space-2) 0 var(--space-2) var(--space-5);
  }
  .plan-steps > li::before {
    content: "";
    position: absolute;
    left: 4px;
    top: calc(50% - 5px);
    width: 10px;
    height: 10px;
    border: 2px solid var(--accent);
    border-radius: 50%;
    background: var(--background);
    z-index: 1;
  }
  .plan-steps > li:not(:last-child)::after {
    content: "";
    position: absolute;
    left: 8px;
    top: 50%;
    height: 100%;
    border-left: 2px solid var(--line);
  }
  .plan-steps strong,
  .plan-steps .small {
    display: block;
    overflow-wrap: anywhere;
  }
  .plan-times {
    width: 100%;
    height: 14px;
    border-radius: var(--radius-inner);
  }
  .phase {
    display: inline-block;
    width: 10px;
    height: 10px;
    margin-right: 6px;
    border-radius: 2px;
  }
  .phase-validating {
    background: var(--accent);
    fill: var(--accent);
  }
  .phase-preparing {
    background: var(--positive);
    fill: var(--positive);
  }
  .phase-queuing {
    background: var(--line-strong);
    fill: var(--line-strong);
  }
  .phase-querying {
    background: var(--warning);
    fill: var(--warning);
  }
  .phase-processing {
    background: var(--negative);
    fill: var(--negative);
  }
  .times {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(110px, 1fr));
    gap: var(--space-3);
    margin: 0;
  }
  .times dt {
    color: var(--text-muted);
    font-size: var(--size-xs);
  }
  .times dd {
    margin: 0;
    font-weight: 600;
  }
  @media (max-width: 800px) {
    .explore {
      grid-template: "columns" auto "work" auto / minmax(0, 1fr);
      height: auto;
    }
    .explore-columns {
      display: grid;
      grid-template-columns: auto minmax(0, 1fr) auto;
      align-items: center;
      gap: var(--space-2) var(--space-3);
      padding: var(--space-2) var(--space-3);
      border-right: 0;
      border-bottom: 1px solid var(--line);
    }
    .explore-columns > h1 {
      font-size: var(--size-m);
    }
    .toggle-columns {
      display: inline-flex;
    }
    .explore-columns > console-column-list {
      grid-column: 1 / -1;
    }
    .explore-columns.closed > console-column-list {
      display: none;
    }
    .explore-columns .column-kinds {
      max-height: 45dvh;
    }
    .work-head,
    .status,
    .answer {
      padding-left: var(--space-3);
      padding-right: var(--space-3);
    }
    .answer.both {
      grid-template-rows: 320px 280px;
    }
    .answer.chart,
    .answer.table {
      grid-template-rows: 420px;
    }
  }
`;
