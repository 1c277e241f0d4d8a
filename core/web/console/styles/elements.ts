import { css } from "lit";

/** Styles of plain elements, buttons, fields and badges, for all pages. */
export const elements = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  body,
  .guest {
    margin: 0;
    background: var(--background);
    color: var(--text);
    font: 400 var(--size-m) / 1.45 var(--font);
    font-variant-numeric: tabular-nums;
    -webkit-font-smoothing: antialiased;
    text-rendering: optimizeLegibility;
  }
  h1,
  h2,
  h3,
  p {
    margin: 0;
  }
  h1 {
    font-size: var(--size-xl);
    font-weight: 600;
    line-height: 1.25;
    letter-spacing: -0.01em;
  }
  h2 {
    font-size: var(--size-l);
    font-weight: 600;
    line-height: 1.3;
  }
  h3 {
    font-size: var(--size-m);
    font-weight: 600;
  }
  a {
    color: var(--accent);
    text-decoration: none;
  }
  a:hover,
  p a:not(.button) {
    text-decoration: underline;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  [hidden] {
    display: none !important;
  }
  code,
  pre {
    font-family: var(--font-code);
    font-size: var(--size-s);
  }
  pre {
    margin: 0;
    padding: var(--space-3);
    overflow: auto;
    background: var(--sunken);
    border-radius: var(--radius);
    line-height: 1.5;
    tab-size: 2;
  }
  .muted {
    color: var(--text-muted);
  }
  .small {
    font-size: var(--size-s);
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .row {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    flex-wrap: wrap;
  }
  .stack {
    display: grid;
    gap: var(--space-4);
    min-width: 0;
  }
  .grow {
    flex: 1;
    min-width: 0;
  }
  /* Buttons move below a heading, a count, a sentence or a search field before these become narrow. */
  :is(h2, h3, [role="status"]).grow {
    min-width: fit-content;
  }
  .row > :is(p, .input).grow {
    flex-basis: 220px;
  }
  .surface {
    background: var(--surface);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .truncate {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    min-height: 32px;
    padding: 0 var(--space-3);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
    font-size: var(--size-m);
    font-weight: 600;
    line-height: 1.2;
    white-space: nowrap;
    cursor: pointer;
    transition: background var(--quick);
  }
  .button:hover {
    background: var(--sunken);
    text-decoration: none;
  }
  .button[disabled] {
    color: var(--text-muted);
    cursor: not-allowed;
  }
  .button.primary {
    background: var(--accent);
    border-color: var(--accent);
    color: var(--on-accent);
  }
  .button.primary:hover {
    background: var(--accent-strong);
  }
  .button.primary[disabled] {
    background: var(--sunken);
    border-color: var(--line);
    color: var(--text-muted);
  }
  .button.danger {
    color: var(--negative);
  }
  .button.quiet {
    border-color: transparent;
    background: transparent;
    font-weight: 400;
  }
  .button.quiet:hover,
  .button.quiet[aria-expanded="true"],
  .button.quiet[aria-pressed="true"] {
    background: var(--accent-soft);
  }
  .button.icon {
    width: 32px;
    padding: 0;
  }
  svg.icon {
    width: 16px;
    height: 16px;
    flex: none;
  }
  a.back {
    display: inline-flex;
    align-items: center;
    gap: 2px;
  }
  .badge svg {
    width: 12px;
    height: 12px;
  }
  .field {
    display: grid;
    gap: var(--space-1);
    min-width: 0;
  }
  .check {
    display: flex;
    gap: var(--space-2);
    align-items: center;
    min-height: 28px;
  }
  .check > input {
    flex: none;
  }
  .field > label,
  .field > .label {
    font-size: var(--size-s);
    font-weight: 600;
  }
  .field .hint {
    font-size: var(--size-s);
    color: var(--text-muted);
  }
  .field .wrong {
    font-size: var(--size-s);
    color: var(--negative);
  }
  .input {
    width: 100%;
    min-height: 32px;
    padding: 5px 10px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius);
    background: var(--surface);
    color: var(--text);
  }
  .input::placeholder {
    color: var(--text-muted);
    opacity: 1;
  }
  .input[aria-invalid="true"] {
    border-color: var(--negative);
  }
  textarea.input {
    min-height: 88px;
    resize: vertical;
  }
  .badge {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    padding: 1px 8px;
    border-radius: 99px;
    background: var(--sunken);
    color: var(--text-muted);
    font-size: var(--size-xs);
    font-weight: 600;
    white-space: nowrap;
  }
  .badge.good {
    background: var(--positive-soft);
    color: var(--positive);
  }
  .badge.bad {
    background: var(--negative-soft);
    color: var(--negative);
  }
  .badge.warn {
    background: var(--warning-soft);
    color: var(--warning);
  }
  .badge.info {
    background: var(--accent-soft);
    color: var(--accent);
  }
  @media (forced-colors: active) {
    .button,
    .badge {
      border: 1px solid;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    *::before,
    *::after {
      transition: none !important;
      animation: none !important;
    }
  }
`;
