import { css } from "lit";

/** The threshold on a chart, the timeline of a ledger, the list of channels. */
export const alertStyles = css`
  .new-alert {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 320px;
    gap: var(--space-5);
    align-items: start;
  }
  .new-alert form {
    display: grid;
    gap: var(--space-4);
    padding: var(--space-4);
  }
  .channels {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    border: 0;
  }
  .channels legend {
    padding: 0 0 var(--space-1);
    font-size: var(--size-s);
    font-weight: 600;
  }
  console-threshold-chart {
    position: relative;
    display: block;
    height: 440px;
    overflow: hidden;
    background: var(--surface);
    border-radius: var(--radius);
  }
  console-threshold-chart svg {
    position: absolute;
    inset: 0;
  }
  console-threshold-chart .over {
    pointer-events: none;
  }
  .over .threshold {
    stroke: var(--negative);
    stroke-width: 1.5;
    stroke-dasharray: 6 4;
  }
  .over .handle {
    fill: transparent;
    cursor: ns-resize;
    pointer-events: all;
    touch-action: none;
  }
  .over .threshold-value {
    fill: var(--negative);
    font: 600 var(--size-xs) var(--font);
    paint-order: stroke;
    stroke: var(--surface);
    stroke-width: 4px;
  }
  .over .fired {
    fill: none;
    stroke: var(--negative);
    stroke-width: 2.5;
  }
  .timeline {
    padding: var(--space-3);
    overflow-x: auto;
  }
  .timeline svg {
    display: block;
  }
  .bar-good {
    fill: var(--positive);
  }
  .bar-warn {
    fill: var(--warning);
  }
  .bar-bad {
    fill: var(--negative);
  }
  .channel-list {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .channel-list li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-2) var(--space-3);
  }
  .channel-list li + li {
    border-top: 1px solid var(--line);
  }
  @media (max-width: 900px) {
    .new-alert {
      grid-template-columns: minmax(0, 1fr);
    }
    console-threshold-chart {
      height: 300px;
    }
  }
`;
