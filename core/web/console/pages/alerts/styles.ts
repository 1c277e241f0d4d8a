import { css } from "lit";

/** Styles of the threshold on a chart, the timeline of an alert and the list of channels. */
export const alertStyles = css`
  .alert-editor {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 320px;
    gap: var(--space-5);
    align-items: start;
  }
  .alert-editor form {
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
  .alert-editor .two {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: var(--space-2);
    align-items: start;
  }
  .rule > summary {
    padding: var(--space-1) 0;
    font-size: var(--size-s);
    font-weight: 600;
    cursor: pointer;
  }
  .rule > .stack {
    padding-top: var(--space-3);
  }
  .channels .hint {
    color: var(--text-muted);
    font-size: var(--size-s);
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
  console-threshold-chart.small-chart {
    height: 280px;
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
  .over .handle.along-x {
    cursor: ew-resize;
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
  .rule-facts {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(200px, 1fr));
    gap: var(--space-3) var(--space-4);
    margin: 0;
  }
  .rule-facts dt {
    color: var(--text-muted);
    font-size: var(--size-s);
  }
  .rule-facts dd {
    margin: 0;
  }
  .timeline {
    display: grid;
    gap: var(--space-3);
    margin: 0;
    padding: var(--space-4);
  }
  .timeline-scroll {
    overflow-x: auto;
  }
  .timeline-bars {
    display: flex;
    gap: 1px;
    align-items: flex-end;
    height: 56px;
    border-bottom: 1px solid var(--line);
  }
  .timeline-bars > span {
    flex: 1 0 3px;
    height: 45%;
    border-radius: 2px 2px 0 0;
  }
  .timeline-bars > .sent {
    height: 100%;
  }
  .timeline-days {
    display: flex;
    justify-content: space-between;
    padding-top: var(--space-1);
    white-space: nowrap;
  }
  .timeline .key i {
    width: 10px;
    height: 10px;
    border-radius: 2px;
  }
  .bar-good {
    background: var(--positive);
  }
  .bar-warn {
    background: var(--warning);
  }
  .bar-bad {
    background: var(--negative);
  }
  :is(console-measured-values, console-measured-now):empty {
    display: none;
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
  .channel-list .name {
    flex: 1 1 240px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .channel-list li + li {
    border-top: 1px solid var(--line);
  }
  @media (max-width: 900px) {
    .alert-editor {
      grid-template-columns: minmax(0, 1fr);
    }
    console-threshold-chart {
      height: 300px;
    }
  }
  @media (max-width: 500px) {
    .timeline-days span:nth-child(2),
    .timeline-days span:nth-child(3) {
      display: none;
    }
  }
`;
