import { css } from "lit";

/** Styles of the Ask page: a column of questions and answers, with the form below. */
export const askStyles = css`
  .ask-page {
    max-width: 960px;
    display: grid;
    gap: var(--space-4);
    align-content: start;
  }
  .ask-page > * {
    min-width: 0;
  }
  .turns {
    display: grid;
    gap: var(--space-5);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .turns:empty {
    display: none;
  }
  .turns > li {
    min-width: 0;
  }
  .asked {
    justify-self: end;
    max-width: 80%;
    margin: 0;
    padding: var(--space-2) var(--space-3);
    border-radius: var(--radius);
    background: var(--accent-soft);
    overflow-wrap: anywhere;
  }
  console-answer {
    display: block;
    min-width: 0;
  }
  .answer-card {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-4);
    min-width: 0;
  }
  .answer-card > * {
    min-width: 0;
  }
  .answer-card console-picture {
    display: block;
    height: 300px;
    overflow: hidden;
  }
  .query-text {
    width: 100%;
    height: auto;
    font-size: var(--size-s);
    white-space: pre;
    overflow: auto;
  }
  .ask-form {
    padding: var(--space-4);
  }
  .ask-form textarea {
    width: 100%;
    height: auto;
    resize: vertical;
  }
  .ask-page .row.wrap {
    flex-wrap: wrap;
  }
  .described {
    overflow-x: auto;
  }
  .described table {
    width: 100%;
    border-collapse: collapse;
  }
  .described th {
    color: var(--text-muted);
    font-size: var(--size-xs);
    text-align: left;
  }
  .described :is(td, th) {
    padding: var(--space-2) var(--space-2) var(--space-2) 0;
    border-bottom: 1px solid var(--line);
    vertical-align: top;
    overflow-wrap: anywhere;
  }
`;
