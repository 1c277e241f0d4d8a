import { css } from "lit";

/** Styles of the People and access page. */
export const accessStyles = css`
  .see-as {
    display: grid;
    grid-template-columns: minmax(280px, 2fr) minmax(0, 3fr);
    gap: var(--space-5);
    align-items: start;
  }
  .see-as .rights {
    display: grid;
    gap: var(--space-4);
  }
  .see-as .right-card {
    padding: var(--space-4);
    display: grid;
    gap: var(--space-2);
  }
  .see-as ul {
    margin: 0;
    padding-left: var(--space-4);
    display: grid;
    gap: var(--space-1);
  }
  .see-as li,
  .see-as p,
  .see-as h3 {
    overflow-wrap: anywhere;
  }
  pre.script {
    max-height: 40vh;
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .second-factor {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-4);
    align-items: center;
    padding: var(--space-4);
  }
  .second-factor .grow {
    flex: 1 1 240px;
  }
  .second-factor p {
    margin: var(--space-1) 0 0;
  }
  .access-panel,
  .access-panel > *,
  .access-panel .stack,
  .access-panel .stack > * {
    min-width: 0;
  }
  :is(
    console-tokens-view,
    console-audit,
    console-usage,
    console-sign-on-form,
    console-shares,
    console-members
  ) {
    display: grid;
    gap: var(--space-5);
    min-width: 0;
  }
  :is(console-see-as, console-audit-filters) {
    display: block;
    min-width: 0;
  }
  .input.fit {
    width: auto;
  }
  .access-cards {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(min(100%, 380px), 1fr));
    gap: var(--space-4);
    align-items: start;
    min-width: 0;
  }
  .access-card {
    display: grid;
    gap: var(--space-3);
    padding: var(--space-4);
    min-width: 0;
  }
  .facts {
    display: grid;
    grid-template-columns: minmax(110px, max-content) minmax(0, 1fr);
    gap: var(--space-2) var(--space-4);
    margin: 0;
  }
  .facts dt {
    color: var(--text-muted);
  }
  .facts dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
  .access-list,
  .follows {
    display: grid;
    gap: var(--space-1);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .access-list li {
    display: flex;
    align-items: center;
    gap: var(--space-2);
    min-height: 32px;
  }
  .reached .reason {
    display: block;
  }
  console-access-card {
    display: grid;
    min-width: 0;
    grid-column: 1 / -1;
  }
  .follows {
    padding-left: var(--space-4);
    list-style: disc;
  }
  .parameter {
    display: grid;
    gap: var(--space-2);
    padding-bottom: var(--space-3);
    border-bottom: 1px solid var(--line);
    justify-items: start;
  }
  .parameter > .field {
    width: 100%;
  }
  .mapping {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto;
    gap: var(--space-2);
    align-items: center;
  }
  .mapping .check {
    grid-column: 1 / -1;
  }
  .address {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-1) var(--space-3);
  }
  .address .muted {
    flex: 0 0 130px;
  }
  .address .key-text {
    flex: 1 1 220px;
  }
  .form-foot {
    grid-column: 1 / -1;
    justify-content: flex-end;
  }
  .audit-sentence a {
    text-decoration: underline;
  }
  .audit-told {
    overflow-wrap: anywhere;
  }
  .audit-note {
    flex-basis: 260px;
  }
  .audit-filters {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 150px), 1fr));
    gap: var(--space-3);
    align-items: end;
  }
  .audit-filters .button {
    min-width: 0;
  }
  .access-form {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: var(--space-2);
    align-items: end;
  }
  .seen-dashboard {
    overflow: auto;
    max-height: 640px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .check-list {
    display: grid;
    max-height: 180px;
    overflow: auto;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    padding: var(--space-2) var(--space-3);
  }
  @media (max-width: 860px) {
    .see-as {
      grid-template-columns: minmax(0, 1fr);
    }
  }
`;
